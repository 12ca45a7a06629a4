-- The mean score of each run in each of two tables of scores, or in one.
-- scores_a, scores_b: as for order_agreement
-- queries: 'all' or 'common'; whether only the queries of each metric that both have
-- returns side: 'a' or 'b'
-- returns metric, run_id: one row each
-- returns mean: of the scores of the queries
-- returns size: the largest absolute score of the metric on this side
CREATE OR REPLACE MACRO means_twice(scores_a, scores_b, queries) AS TABLE
WITH _scores AS (
    SELECT
        'a' AS side,
        _s.*
    FROM scored(scores_a) AS _s
    UNION ALL
    SELECT
        'b' AS side,
        _s.*
    FROM scored(scores_b) AS _s
)
SELECT
    _t.side,
    _t.metric,
    _t.run_id,
    avg(_t.score) AS mean,
    max(max(abs(_t.score))) OVER (PARTITION BY _t.side, _t.metric) AS size
FROM (
    SELECT
        _q.*,
        min(_q.side) OVER (PARTITION BY _q.metric, _q.query_id) AS first_side,
        max(_q.side) OVER (PARTITION BY _q.metric, _q.query_id) AS last_side
    FROM _scores AS _q
) AS _t
WHERE queries = 'all' OR _t.first_side <> _t.last_side
GROUP BY _t.side, _t.metric, _t.run_id;
