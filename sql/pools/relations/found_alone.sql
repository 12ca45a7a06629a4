-- The judged documents that only one run has among its first: what judgments would lack without that run.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- depth: 1 or more; how deep runs were pooled
-- ties: as for unjudged; order of documents of the same score
-- groups: the group of each run, such as MAP {'bm25': 'lucene'}, or NULL: the runs of a group are one
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each; the group, if the run has one
-- returns rank: of the document by the run
-- returns relevant: 1 if relevant, else 0
-- source: Zobel 1998, doi:10.1145/290941.291014
CREATE OR REPLACE MACRO found_alone(
    qrels, run, rel DOUBLE := 1, depth BIGINT := 100, ties VARCHAR := 'descending', groups := NULL
) AS TABLE
SELECT
    min(coalesce(CAST(groups AS MAP (VARCHAR, VARCHAR))[_f.run_id], _f.run_id)) AS run_id,
    _f.query_id,
    _f.doc_id,
    min(_f.rank) AS rank,
    max(CASE WHEN _q.relevance >= rel THEN 1 ELSE 0 END) AS relevant
FROM first_documents(qrels, run, depth, ties) AS _f
INNER JOIN judgments(qrels) AS _q ON _f.query_id = _q.query_id AND _f.doc_id = _q.doc_id
WHERE _q.relevance >= 0
GROUP BY _f.query_id, _f.doc_id
HAVING count(DISTINCT coalesce(CAST(groups AS MAP (VARCHAR, VARCHAR))[_f.run_id], _f.run_id)) = 1;
