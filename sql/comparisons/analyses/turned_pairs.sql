-- Pairs of runs that change places: two sets of scores, such as by other judgments, have them in opposite orders.
-- scores_a: as for order_agreement
-- scores_b: scores of the same runs and metrics, such as by other judgments
-- queries: as for order_agreement
-- refuses: unusable_scores, repeated_scores
-- returns metric: one row for each metric and each such pair
-- returns run_id, other: the better and the worse run by the first scores
-- returns difference: of their means by the first scores; above 0
-- returns second_difference: the same by the second scores; below 0
-- example: scores.csv other-scores.csv
CREATE OR REPLACE MACRO turned_pairs(scores_a, scores_b, queries VARCHAR := 'all') AS TABLE
WITH _means AS MATERIALIZED (
    SELECT * FROM means_twice(scores_a, scores_b, queries)
), _both AS (
    SELECT
        _a.metric,
        _a.run_id,
        _a.mean,
        _a.size,
        _b.mean AS second_mean,
        _b.size AS second_size
    FROM _means AS _a
    INNER JOIN _means AS _b ON _a.side = 'a' AND _b.side = 'b' AND _a.metric = _b.metric AND _a.run_id = _b.run_id
)
SELECT
    _r.metric,
    _r.run_id,
    _o.run_id AS other,
    _r.mean - _o.mean AS difference,
    _r.second_mean - _o.second_mean AS second_difference
FROM _both AS _r
INNER JOIN _both AS _o
    ON
        _r.metric = _o.metric
        -- means that are equal up to rounding are tied
        AND _r.mean - _o.mean > 1e-12 * _r.size
        AND _o.second_mean - _r.second_mean > 1e-12 * _r.second_size
INNER JOIN metric_places(scores_a) AS _k ON _r.metric = _k.metric
ORDER BY _k.place ASC, _r.mean DESC, _o.mean DESC, _r.run_id ASC, _o.run_id ASC;
