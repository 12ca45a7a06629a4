-- The judged documents that only one run has among its first: what judgments would lack without that run.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- depth: 1 or more; how deep runs were pooled
-- ties: as for unjudged; order of documents of the same score
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each
-- returns rank: of the document by the run
-- returns relevant: 1 if relevant, else 0
-- source: Zobel 1998, doi:10.1145/290941.291014
CREATE OR REPLACE MACRO found_alone(
    qrels, run, rel DOUBLE := 1, depth BIGINT := 100, ties VARCHAR := 'descending'
) AS TABLE
SELECT
    min(_f.run_id) AS run_id,
    _f.query_id,
    _f.doc_id,
    min(_f.rank) AS rank,
    max(CASE WHEN _q.relevance >= rel THEN 1 ELSE 0 END) AS relevant
FROM first_documents(qrels, run, depth, ties) AS _f
INNER JOIN judgments(qrels) AS _q ON _f.query_id = _q.query_id AND _f.doc_id = _q.doc_id
WHERE _q.relevance >= 0
GROUP BY _f.query_id, _f.doc_id
HAVING count(DISTINCT _f.run_id) = 1;
