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
WITH _documents AS (
    SELECT
        _q.query_id,
        _q.doc_id,
        max(_q.relevance) AS relevance
    FROM subtopic_judgments(qrels) AS _q
    GROUP BY _q.query_id, _q.doc_id
)
SELECT
    _j.*,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.relevance DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
    ) AS num_rel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _s.subtopic,
        _d.doc_id,
        _s.relevance,
        _d.rank,
        _d.answered,
        _d.num_ret,
        CASE WHEN _s.relevance >= rel THEN 1 ELSE 0 END AS relevant
    FROM condensed(_documents, run, ties := ties, depth := depth, judged_only := judged_only) AS _d
    INNER JOIN subtopic_judgments(qrels) AS _s
        ON _d.query_id = _s.query_id AND _d.doc_id = _s.doc_id
) AS _j;
