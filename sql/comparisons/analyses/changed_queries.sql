-- The queries that a release changes, without judgments.
-- baseline: table or file of documents retrieved before, by one run
-- run: as for judged; documents retrieved after
-- topics: optional; query_id and weight, such as how often users ask it; without it, all queries count the same
-- k: 1 or more; how many of the first documents to compare
-- p: as for rbo; how likely a reader is to go on to the next document: a higher one looks further down
-- queries: 'changed' or 'all'; whether to list all queries that either of the two answers
-- refuses: unusable_documents, repeated_documents, several_baselines
-- returns run_id, query_id: one row each, those that change most first
-- returns weight: of the query
-- returns changed: whether the first k are other documents, or in another order
-- returns overlap: documents that both have among the first k, as a share of the longer list
-- returns rbo: rank-biased overlap of both lists, extrapolated beyond k: 1 if nothing changed, 0 if nothing is shared
-- returns came, went: number of documents among the first k of the run and not of the baseline, and the other way round
-- returns first_before, first_after: the first document of both, NULL where nothing is retrieved
-- source: Webber, Moffat and Zobel 2010, doi:10.1145/1852102.1852106, equation 32
-- example: old.csv new.csv
CREATE OR REPLACE MACRO changed_queries(
    baseline, run, topics, k BIGINT := 10, p DOUBLE := 9e-1, queries VARCHAR := 'changed'
) AS TABLE
WITH _after AS MATERIALIZED (
    SELECT * FROM rankings(run, depth := k)
), _documents AS (
    SELECT
        _l.run_id,
        _l.query_id,
        _l.doc_id,
        max(_l.rank_before) AS rank_before,
        max(_l.rank_after) AS rank_after
    FROM (
        SELECT _a.run_id, _a.query_id, _a.doc_id, NULL AS rank_before, _a.rank AS rank_after
        FROM _after AS _a
        UNION ALL
        SELECT _r.run_id, _b.query_id, _b.doc_id, _b.rank AS rank_before, NULL AS rank_after
        FROM rankings(baseline, depth := k) AS _b
        CROSS JOIN (SELECT DISTINCT _a.run_id FROM _after AS _a) AS _r
    ) AS _l
    GROUP BY _l.run_id, _l.query_id, _l.doc_id
), _placed AS (
    SELECT
        _d.*,
        -- the rank from which on both lists have the document
        CASE WHEN _d.rank_before > _d.rank_after THEN _d.rank_before ELSE _d.rank_after END AS shared_rank,
        count(_d.rank_before) OVER _of_query AS num_before,
        count(_d.rank_after) OVER _of_query AS num_after
    FROM _documents AS _d
    WINDOW _of_query AS (PARTITION BY _d.run_id, _d.query_id)
), _counted AS (
    SELECT
        _l.run_id,
        _l.query_id,
        CAST(least(_l.num_before, _l.num_after) AS DOUBLE) AS shorter,
        CAST(greatest(_l.num_before, _l.num_after) AS DOUBLE) AS longer,
        count(CASE WHEN _l.rank_before = _l.rank_after THEN 1 END) AS kept,
        1e0 * count(CASE WHEN _l.rank_before IS NOT NULL AND _l.rank_after IS NOT NULL THEN 1 END) AS shared,
        1e0 * count(
            CASE
                WHEN
                    _l.rank_before IS NOT NULL
                    AND _l.rank_after IS NOT NULL
                    AND _l.shared_rank <= least(_l.num_before, _l.num_after)
                    THEN 1
            END
        ) AS shared_soon,
        exact_sum(
            CASE
                WHEN _l.rank_before IS NOT NULL AND _l.rank_after IS NOT NULL
                    THEN overlap_weight(p, _l.shared_rank, greatest(_l.num_before, _l.num_after), k)
            END
        ) AS agreement,
        count(CASE WHEN _l.rank_before IS NULL THEN 1 END) AS came,
        count(CASE WHEN _l.rank_after IS NULL THEN 1 END) AS went,
        max(CASE WHEN _l.rank_before = 1 THEN _l.doc_id END) AS first_before,
        max(CASE WHEN _l.rank_after = 1 THEN _l.doc_id END) AS first_after
    FROM _placed AS _l
    GROUP BY _l.run_id, _l.query_id, _l.num_before, _l.num_after
), _weights AS (
    SELECT
        CAST(_t.query_id AS VARCHAR) COLLATE C AS query_id,
        count(*) AS times,
        max(number_or_null(_t.weight)) AS weight
    FROM with_columns(topics, { 'query_id': NULL, 'weight': NULL }) AS _t
    GROUP BY CAST(_t.query_id AS VARCHAR) COLLATE C
), _weighted AS (
    SELECT
        _c.*,
        CASE WHEN _n.number = 0 THEN 1e0 ELSE _w.weight END AS weight,
        _c.kept < _c.longer AS changed,
        (1e0 - p) * coalesce(_c.agreement, 0e0)
        + CASE
            WHEN _c.shorter = 0 THEN 0e0
            ELSE
                -- beyond the shorter list, it is taken to share as many of its documents as before
                _c.shared_soon / _c.shorter * (
                    power(1e0 * p, _c.shorter) - power(1e0 * p, _c.longer)
                    - (1e0 - p) * _c.shorter
                    * overlap_weight(p, CAST(_c.shorter AS BIGINT) + 1, CAST(_c.longer AS BIGINT), k)
                )
                + ((_c.shared - _c.shared_soon) / _c.longer + _c.shared_soon / _c.shorter)
                * power(1e0 * p, _c.longer)
        END AS likeness
    FROM _counted AS _c
    CROSS JOIN (SELECT count(*) AS number FROM _weights) AS _n
    LEFT JOIN _weights AS _w ON _c.query_id = _w.query_id
    WHERE
        must_hold(
            CASE
                WHEN _n.number > 0 AND _w.query_id IS NULL THEN concat('topics has no query ', _c.query_id)
                WHEN _w.times > 1 THEN concat('topics has query ', _c.query_id, ' ', _w.times, ' times')
                WHEN _n.number > 0 AND NOT coalesce(_w.weight >= 0 AND isfinite(_w.weight), FALSE)
                    THEN concat('weight must be a number, 0 or more, for query ', _c.query_id)
            END
        )
)
SELECT
    _q.run_id,
    _q.query_id,
    _q.weight,
    _q.changed,
    _q.shared / _q.longer AS overlap,
    CASE WHEN _q.changed THEN least(_q.likeness, 1e0) ELSE 1e0 END AS rbo,
    _q.came,
    _q.went,
    _q.first_before,
    _q.first_after
FROM _weighted AS _q
WHERE queries = 'all' OR _q.changed
ORDER BY
    _q.run_id ASC,
    floor(_q.weight * (1e0 - CASE WHEN _q.changed THEN _q.likeness ELSE 1e0 END) * 1e12 + 5e-1) DESC,
    _q.query_id ASC;
