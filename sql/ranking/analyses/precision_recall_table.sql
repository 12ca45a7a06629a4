-- Precision and recall at every rank from 1 to k.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- k: 1 or more, or NULL; last rank; by default, the length of the ranking
-- averaged: whether to average over queries
-- rel: above 0; lowest relevance that counts as relevant
-- returns run_id, query_id: the ranking; query_id is 'all' when averaged
-- returns rank: 1, 2, …, even where fewer documents were retrieved
-- returns found: relevant documents down to this rank
-- returns precision: found / rank
-- returns recall: found / R; 0 if nothing is relevant
-- example: qrels.csv bm25.csv neural.csv --k 10
CREATE OR REPLACE MACRO precision_recall_table(
    qrels, run, k BIGINT := 10, averaged BOOLEAN := FALSE, rel DOUBLE := 1
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel)), _depths AS (
    SELECT
        _q.run_id,
        _q.query_id,
        max(_q.num_rel) AS num_rel,
        coalesce(
            k,
            CASE
                WHEN averaged THEN max(max(_q.num_ret)) OVER (PARTITION BY _q.run_id)
                ELSE max(_q.num_ret)
            END
        ) AS depth
    FROM _judged AS _q
    GROUP BY _q.run_id, _q.query_id
)
SELECT
    _p.run_id,
    CASE WHEN averaged THEN 'all' ELSE _p.query_id END AS query_id,
    _p.rank,
    avg(1e0 * _p.found) AS found,
    exact_sum(1e0 * _p.found / _p.rank) / count(*) AS precision,
    exact_sum(ratio(_p.found, _p.num_rel)) / count(*) AS recall
FROM (
    SELECT
        _r.run_id,
        _r.query_id,
        _r.rank,
        _r.num_rel,
        sum(coalesce(_j.relevant, 0)) OVER (
            PARTITION BY _r.run_id, _r.query_id
            ORDER BY _r.rank ASC NULLS LAST
            ROWS UNBOUNDED PRECEDING
        ) AS found
    FROM depth_ranks(_depths, run, k) AS _r
    LEFT JOIN _judged AS _j
        ON _r.run_id = _j.run_id AND _r.query_id = _j.query_id AND _r.rank = _j.rank
) AS _p
GROUP BY _p.run_id, CASE WHEN averaged THEN 'all' ELSE _p.query_id END, _p.rank
ORDER BY run_id ASC, query_id ASC, rank ASC NULLS LAST;
