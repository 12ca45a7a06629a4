-- Every judgment of a document for a subtopic, with the document's rank and the counts that metrics need.
-- qrels: table or file of judgments: query_id, doc_id, relevance and subtopic (intent, aspect, judgment group); without it there is one subtopic
-- run: table or file of retrieved documents, as for judged
-- rel: number above 0; relevance from which a document counts as relevant to the subtopic
-- ties: order of documents of the same score, as for judged; relevant ones are so to any subtopic
-- depth: how many documents of each query are kept, as for judged
-- judged_only: whether ranks pass over documents without a judgment of 0 or more for any subtopic
-- run_id, query_id, subtopic, doc_id: one row for each, as text
-- relevance: the judgment
-- rank: 1, 2, … in the run, as in judged; NULL when not retrieved
-- ideal_rank: 1, 2, … by relevance descending within the subtopic
-- answered: 1 when the run retrieved anything for the query, else 0
-- num_ret: documents retrieved for the query, judged or not
-- relevant: 1 when relevance >= rel, else 0
-- num_rel: documents relevant to the subtopic
-- hits: documents relevant to the subtopic retrieved at this rank or above
CREATE OR REPLACE MACRO subtopics(
    qrels, run, rel := 1, ties := 'descending', depth := NULL, judged_only := FALSE
) AS TABLE
WITH
    _documents AS (SELECT * FROM judgments_once(qrels)),
    _condensed AS (
        SELECT * FROM condensed(_documents, run, ties := ties, depth := depth, judged_only := judged_only)
    )
SELECT * FROM covered(_condensed, qrels, rel := rel);
