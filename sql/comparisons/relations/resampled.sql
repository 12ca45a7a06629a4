-- Mean differences over queries drawn with replacement: a row for each pair and sample.
-- paired: rows of paired(scores)
-- samples: 1 or more; how many to draw
-- seed: of the random draws: the same seed gives the same samples. Pairs with as many queries share their draws
-- first: 0 or more; the number of the first one, to draw many in portions
-- groups: metric, segment, run_id, baseline
-- once: sample
-- returns metric, segment, run_id, baseline: the pair
-- returns sample: 0, 1, …
-- returns difference: the mean difference of all queries
-- returns resampled_difference: the mean difference of the queries drawn
-- returns acceleration: how the error changes with the mean, for BCa intervals: the skewness over 6√n
CREATE OR REPLACE MACRO resampled(paired, samples BIGINT := 2000, seed BIGINT := 0, first BIGINT := 0) AS TABLE
WITH _pairs AS MATERIALIZED (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        avg(_p.difference) AS difference,
        1e-12 * max(_p.scale) AS tolerance,
        list(_p.difference ORDER BY _p.query_id ASC) AS differences,
        count(*) AS num_queries,
        coalesce(
            (
                avg(power(_p.difference / _p.scale, 3))
                - 3 * avg(_p.difference / _p.scale) * avg(power(_p.difference / _p.scale, 2))
                + 2 * power(avg(_p.difference / _p.scale), 3)
            )
            / nullif(power(var_pop(_p.difference / _p.scale), 15e-1), 0) / (6e0 * sqrt(count(*))),
            0e0
        ) AS acceleration
    FROM query_table(paired) AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline
), _draws AS MATERIALIZED (
    SELECT
        _n.num_queries,
        _s.sample,
        list_transform(
            range(_n.num_queries),
            lambda place: drawn_place(concat(seed, ':', _s.sample, ':', place), _n.num_queries) + 1
        ) AS places
    FROM (SELECT DISTINCT _p.num_queries FROM _pairs AS _p) AS _n
    CROSS JOIN range(first, first + samples) AS _s (sample)
)
SELECT
    _p.metric,
    _p.segment,
    _p.run_id,
    _p.baseline,
    _p.sample,
    _p.difference,
    -- the same sum in another order may differ in its last digits
    CASE
        WHEN abs(_p.resampled - _p.difference) > _p.tolerance THEN _p.resampled
        ELSE _p.difference
    END AS resampled_difference,
    _p.acceleration
FROM (
    SELECT
        _r.*,
        _m.sample,
        list_sum(list_select(_r.differences, _m.places)) / _r.num_queries AS resampled
    FROM _pairs AS _r
    INNER JOIN _draws AS _m ON _r.num_queries = _m.num_queries
) AS _p;
