-- Every judged document of every run, retrieved or not, with its rank and the counts that metrics use.
-- qrels: table or file of judgments: query_id, doc_id, relevance
-- run: table or file of retrieved documents: query_id, doc_id, score and, if it holds several runs, run_id
-- rel: above 0; lowest relevance that counts as relevant
-- gains: gain of each relevance, in SQL a MAP. A relevance that is not in it keeps its own, NULL maps none
-- ties: 'descending', 'ascending', 'input', 'rank', 'best' or 'worst'; order of documents of the same score: by doc_id
--     (bytes), as in the run, by its column rank, or relevant ones first or last
-- depth: 1 or more; number of documents to keep per query, or NULL for all
-- judged_only: whether ranks skip documents without a judgment of 0 or more
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     unjudged_runs
-- returns run_id, query_id, doc_id: one row each, as text; a run without run_id is called 'run'
-- returns relevance: the judgment; below 0 means pooled but not judged
-- returns grade: the relevance, or what gains maps it to
-- returns rank: 1, 2, … by score descending, tied documents in the order of ties; NULL if not retrieved
-- returns first_rank, last_rank: first and last rank, within the depth, of the documents with this score
-- returns num_tied: number of documents with this score, this one included; NULL with judged_only and a depth
-- returns ideal_rank: 1, 2, … by grade descending
-- returns retrieved_ideal_rank: the same among the retrieved documents
-- returns has_results: 1 if the run retrieved anything for the query, else 0
-- returns num_ret: documents retrieved for the query, judged or not
-- returns relevant: 1 if relevance >= rel, else 0
-- returns num_rel: relevant documents of the query
-- returns num_nonrel: documents of the query judged 0 <= relevance < rel
-- returns hits: relevant documents retrieved at this rank or above
-- returns false_positives: documents judged not relevant and retrieved at this rank or above
-- returns hits_above: relevant documents retrieved with a higher score
-- returns hits_tied: relevant documents retrieved with this score
-- returns false_positives_above, false_positives_tied: the same for documents judged not relevant
CREATE OR REPLACE MACRO judged(
    qrels, run, rel DOUBLE := 1, gains MAP (DOUBLE, DOUBLE) := NULL, ties VARCHAR := 'descending',
    depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
WITH _restricted AS (
    SELECT * FROM restricted(qrels, run, ties := ties, depth := depth, judged_only := judged_only)
)
SELECT * FROM counted(_restricted, rel := rel, gains := gains);
