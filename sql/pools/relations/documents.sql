-- Every document that a run retrieved or that is judged, with its rank and its relevance: all that the score of a query
--     depends on.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- depth: as for judged; number of documents to keep per query
-- ties: as for unjudged; order of documents of the same score
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each; a judged document that was not retrieved has one for each run
-- returns relevance: the judgment; NULL if there is none
-- returns score, rank: by the run; NULL if it did not retrieve the document
CREATE OR REPLACE MACRO documents(qrels, run, depth BIGINT := NULL, ties VARCHAR := 'descending') AS TABLE
WITH _ranked AS (
    SELECT * FROM first_documents(qrels, run, depth, ties)
)
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _q.relevance,
    _r.score,
    _r.rank
FROM _ranked AS _r
LEFT JOIN judgments(qrels) AS _q ON _r.query_id = _q.query_id AND _r.doc_id = _q.doc_id
UNION ALL
SELECT
    _n.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    NULL AS score,
    NULL AS rank
FROM (SELECT DISTINCT _l.run_id FROM _ranked AS _l) AS _n
CROSS JOIN judgments(qrels) AS _q
LEFT JOIN _ranked AS _r
    ON _n.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
WHERE _r.rank IS NULL;
