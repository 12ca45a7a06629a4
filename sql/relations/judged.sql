-- Every judged document of every run, retrieved or not, with its rank and the counts that metrics need.
-- qrels: table or file of judgments: query_id, doc_id, relevance
-- run: table or file of retrieved documents: query_id, doc_id, score and, when it holds several runs, run_id
-- rel: number above 0; relevance from which a document counts as relevant
-- gains: {relevance: gain, …} or NULL; gain of each relevance, in SQL a MAP; one without keeps its own. NULL maps none
-- ties: 'descending', 'ascending', 'input', 'rank', 'best' or 'worst'; order of documents of the same score: by doc_id
--     (bytes), as they stand in the run, by its column rank, or relevant ones first or last
-- depth: whole number, 1 or more, or NULL; how many documents of each query are kept, NULL keeps all
-- judged_only: TRUE or FALSE; whether ranks pass over documents without a judgment of 0 or more
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     unjudged_runs
-- returns run_id, query_id, doc_id: one row for each, as text; a run without run_id is called 'run'
-- returns relevance: the judgment; below 0 means pooled but not judged
-- returns grade: the relevance, or what gains maps it to
-- returns rank: 1, 2, … by score descending, tied documents as ties says; NULL when not retrieved
-- returns first_rank, last_rank: the ranks within the depth that the documents of this score take up
-- returns num_tied: documents of this score, itself included; NULL with judged_only and a depth
-- returns ideal_rank: 1, 2, … by grade descending
-- returns retrieved_ideal_rank: the same among the retrieved documents
-- returns has_results: 1 when the run retrieved anything for the query, else 0
-- returns num_ret: documents retrieved for the query, judged or not
-- returns relevant: 1 when relevance >= rel, else 0
-- returns num_rel: relevant documents of the query
-- returns num_nonrel: documents of the query judged 0 <= relevance < rel
-- returns hits: relevant documents retrieved at this rank or above
-- returns false_positives: documents judged not relevant and retrieved at this rank or above
-- returns hits_above: relevant documents retrieved with a higher score
-- returns hits_tied: relevant documents retrieved with this score
-- returns false_positives_above, false_positives_tied: the same of documents judged not relevant
CREATE OR REPLACE MACRO judged(
    qrels, run, rel := 1, gains := NULL, ties := 'descending', depth := NULL, judged_only := FALSE
) AS TABLE
WITH _truncated AS (
    SELECT * FROM truncated(qrels, run, ties := ties, depth := depth, judged_only := judged_only)
)
SELECT * FROM graded(_truncated, rel := rel, gains := gains);
