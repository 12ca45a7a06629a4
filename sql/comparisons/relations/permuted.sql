-- The range of the mean scores of all runs after their scores were shuffled among the runs within each query: a row for
--     each metric and permutation.
-- scores: as for paired; a row for each run, metric and query
-- permutations: 1 or more; how many to draw
-- seed: of random draws: the same seed draws the same permutations
-- first: 0 or more; the number of the first one, to draw many in portions
-- refuses: unusable_scores, repeated_scores, lone_metrics, unpaired_queries
-- groups: metric, segment
-- once: permutation
-- returns metric, segment, permutation: one row each
-- returns mean_range: the highest mean of a run minus the lowest
-- returns tolerance: differences of means that are closer are equal
CREATE OR REPLACE MACRO permuted(scores, permutations BIGINT := 2000, seed BIGINT := 0, first BIGINT := 0) AS TABLE
WITH _metrics AS MATERIALIZED (
    -- the scores of a query are next to each other, those of a run num_runs apart
    SELECT
        _s.metric,
        _s.segment,
        list(_s.score ORDER BY _s.query_id ASC, _s.run_id ASC) AS scores,
        list(concat(_s.query_id, ':', _s.run_id) ORDER BY _s.query_id ASC, _s.run_id ASC) AS cells,
        count(DISTINCT _s.run_id) AS num_runs,
        avg(abs(_s.score)) * 1e-12 AS tolerance
    FROM scored(scores) AS _s
    GROUP BY _s.metric, _s.segment
), _lots AS (
    -- metrics with the same queries and runs share their draws: by query, the cells in the order of their lots,
    -- which are below 2^64
    SELECT
        _c.cells,
        _c.num_runs,
        _n.permutation,
        list_grade_up(list_transform( -- noqa: LT01
            _c.cells, -- noqa: PRS
            lambda cell, place: CAST((place - 1) // _c.num_runs AS UHUGEINT) * 18446744073709551616::UHUGEINT
                + md5_number_lower(concat(seed, ':', cell, ':', _n.permutation))
        )) AS places
    FROM (SELECT DISTINCT _m.cells, _m.num_runs FROM _metrics AS _m) AS _c
    CROSS JOIN range(first, first + permutations) AS _n (permutation)
), _means AS (
    SELECT
        _m.metric,
        _m.segment,
        _m.tolerance,
        _l.permutation,
        list_transform(
            range(1, _m.num_runs + 1),
            lambda run: list_avg(list_select(_m.scores, list_slice(_l.places, run, len(_l.places), _m.num_runs)))
        ) AS means
    FROM _lots AS _l
    INNER JOIN _metrics AS _m ON _l.cells = _m.cells AND _l.num_runs = _m.num_runs
)
SELECT
    _n.metric,
    _n.segment,
    _n.permutation,
    list_max(_n.means) - list_min(_n.means) AS mean_range,
    _n.tolerance
FROM _means AS _n;
