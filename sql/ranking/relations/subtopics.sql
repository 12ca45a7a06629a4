-- Every judgment of a document for a subtopic, with the document's rank and the counts that metrics use.
-- qrels: table or file of judgments: query_id, doc_id, relevance and subtopic (intent, aspect, judgment group); without
--     a subtopic column, there is one subtopic
-- run: as for judged; table or file of retrieved documents
-- rel: above 0; lowest relevance that counts as relevant to the subtopic
-- ties: as for judged; order of documents of the same score; relevant means relevant to any subtopic
-- depth: as for judged; number of documents to keep per query
-- judged_only: as for judged; whether ranks skip documents without a judgment of 0 or more for any subtopic
-- judgments: by subtopic
-- refuses: unusable_judgments, repeated_judgments, unusable_documents, repeated_documents, unjudged_runs
-- returns run_id, query_id, subtopic, doc_id: one row each, as text
-- returns relevance: the judgment
-- returns rank: 1, 2, … in the run, as in judged; NULL if not retrieved
-- returns ideal_rank: 1, 2, … by relevance descending within the subtopic
-- returns has_results: 1 if the run retrieved anything for the query, else 0
-- returns num_ret: documents retrieved for the query, judged or not
-- returns relevant: 1 if relevance >= rel, else 0
-- returns num_rel: documents relevant to the subtopic
-- returns hits: documents relevant to the subtopic retrieved at this rank or above
CREATE OR REPLACE MACRO subtopics(
    qrels, run, rel DOUBLE := 1, ties VARCHAR := 'descending', depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
WITH
    _documents AS (SELECT * FROM judgments_once(qrels)),
    _restricted AS (
        SELECT * FROM restricted(_documents, run, ties := ties, depth := depth, judged_only := judged_only)
    )
SELECT * FROM ranked_subtopics(_restricted, qrels, rel := rel);
