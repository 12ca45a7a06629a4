-- The range of the mean scores of all runs after their scores were shuffled among the runs within each query: a row for
--     each metric and permutation.
-- scores: as for paired; a row for each run, metric and query
-- permutations: whole number, 1 or more; how many to draw
-- seed: whole number; each draws other permutations, but always the same
-- refuses: unusable_scores, repeated_scores, lone_metrics, unpaired_queries
-- groups: metric
-- once: permutation
-- returns metric, permutation: one row each
-- returns mean_range: the highest mean of a run minus the lowest
CREATE OR REPLACE MACRO permuted(scores, permutations := 2000, seed := 0) AS TABLE
WITH _scores AS MATERIALIZED (SELECT * FROM scored(scores)),
_lots AS (
    SELECT
        _q.query_id,
        _q.run_id,
        _n.permutation,
        md5_number_lower(concat(seed, ':', _q.query_id, ':', _q.run_id, ':', _n.permutation)) AS lot
    FROM (SELECT DISTINCT _s.query_id, _s.run_id FROM _scores AS _s) AS _q
    CROSS JOIN range(permutations) AS _n (permutation)
), _shuffled AS (
    SELECT
        _s.metric,
        _l.permutation,
        _s.query_id,
        list(_s.score ORDER BY _l.lot ASC) AS scores
    FROM _scores AS _s
    INNER JOIN _lots AS _l ON _s.query_id = _l.query_id AND _s.run_id = _l.run_id
    GROUP BY _s.metric, _l.permutation, _s.query_id
), _means AS (
    SELECT
        _u.metric,
        _u.permutation,
        avg(_u.score) AS mean
    FROM (
        SELECT
            _s.metric,
            _s.permutation,
            unnest(_s.scores) AS score,
            generate_subscripts(_s.scores, 1) AS place
        FROM _shuffled AS _s
    ) AS _u
    GROUP BY _u.metric, _u.permutation, _u.place
)
SELECT
    _m.metric,
    _m.permutation,
    max(_m.mean) - min(_m.mean) AS mean_range
FROM _means AS _m
GROUP BY _m.metric, _m.permutation;
