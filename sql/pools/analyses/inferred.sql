-- Inferred scores: those of runs from judgments of a random sample of the pool, as by sample_eval.pl. Each judged
--     document stands for those of its stratum that were not drawn.
-- qrels: as for stratified
-- run: as for judged; retrieved documents
-- k: 1 or more; cut-off rank of inferred_precision
-- depth: as for stratified
-- per_query: whether each query has a row, rather than each run
-- returns run_id: one row each
-- returns query_id: one row each, if per_query; NULL for the mean over all judged queries, where one that the run lacks
--     scores 0
-- returns inferred_ap, inferred_ndcg, inferred_precision: estimated AP (xinfAP), nDCG and P@k
-- source: Yilmaz, Kanoulas and Aslam 2008, doi:10.1145/1390334.1390437
-- example: sampled.csv bm25.csv neural.csv
CREATE OR REPLACE MACRO inferred(
    qrels, run, k BIGINT := 10, depth BIGINT := 1000, per_query BOOLEAN := FALSE
) AS TABLE
WITH _queries AS (
    SELECT
        r.run_id,
        r.query_id,
        inferred_ap(r) AS ap,
        inferred_ndcg(r) AS ndcg,
        inferred_precision(r, k := k) AS precision
    FROM stratified(qrels, run, depth := depth) AS r
    GROUP BY r.run_id, r.query_id
)
SELECT
    _q.run_id,
    CASE WHEN per_query THEN _q.query_id END AS query_id,
    mean_of(_q.ap) AS inferred_ap,
    mean_of(_q.ndcg) AS inferred_ndcg,
    mean_of(_q.precision) AS inferred_precision
FROM _queries AS _q
GROUP BY _q.run_id, CASE WHEN per_query THEN _q.query_id END
ORDER BY run_id ASC, query_id ASC;
