-- Mean differences after the run and the baseline have swapped their scores on a random half of the queries: a row for
--     each pair and permutation.
-- paired: rows of paired(scores)
-- permutations: 1 or more; how many to draw. If at most 20 queries differ, all permutations are taken
-- seed: of random draws: the same seed draws the same permutations, for all metrics and pairs
-- first: 0 or more; the number of the first one, to draw many in portions
-- groups: metric, segment, run_id, baseline
-- once: permutation
-- returns metric, segment, run_id, baseline: the pair
-- returns permutation: 0, which swaps nothing, 1, 2, …
-- returns difference: the mean difference as it is
-- returns flipped_difference: the mean difference after the swaps
-- returns tolerance: mean differences that are closer are equal
CREATE OR REPLACE MACRO flipped(paired, permutations BIGINT := 10000, seed BIGINT := 0, first BIGINT := 0) AS TABLE
WITH _pairs AS (
    SELECT DISTINCT _p.metric, _p.segment, _p.run_id, _p.baseline FROM query_table(paired) AS _p
), _queries AS (
    SELECT DISTINCT _p.query_id FROM query_table(paired) AS _p
), _lists AS MATERIALIZED (
    -- all pairs have the same list of queries, so that signs are drawn once; one that a pair lacks adds 0
    SELECT
        _n.*,
        1e-12 * max(_p.scale) AS tolerance,
        count(_p.query_id) AS num_queries,
        count(*) FILTER (_p.difference <> 0) AS num_different,
        list(coalesce(_p.difference, 0e0) ORDER BY _q.query_id ASC) AS differences,
        list(_p.difference ORDER BY _q.query_id ASC) FILTER (_p.difference <> 0) AS different
    FROM _pairs AS _n
    CROSS JOIN _queries AS _q
    LEFT JOIN query_table(paired) AS _p
        ON
            _n.metric = _p.metric
            AND _n.segment IS NOT DISTINCT FROM _p.segment
            AND _n.run_id = _p.run_id
            AND _n.baseline = _p.baseline
            AND _q.query_id = _p.query_id
    GROUP BY ALL
), _bits AS MATERIALIZED (
    -- 64 random bits of each query, which depend neither on threads nor on the order of rows
    SELECT
        _b.block,
        list_transform(_i.ids, lambda id: md5_number_lower(concat(seed, ':', id, ':', _b.block))) AS words
    FROM (SELECT list(_q.query_id ORDER BY _q.query_id ASC) AS ids FROM _queries AS _q) AS _i
    CROSS JOIN range(first // 64, (greatest(first, 1) + permutations - 1) // 64 + 1) AS _b (block)
    WHERE (SELECT max(_l.num_different) FROM _lists AS _l) > 20
), _signs AS (
    SELECT
        64 * _w.block + _b.bit AS permutation,
        list_transform(
            _w.words,
            lambda word: CASE WHEN _w.block = 0 AND _b.bit = 0 THEN 1e0 ELSE 1e0 - 2e0 * ((word >> _b.bit) & 1) END
        ) AS signs
    FROM _bits AS _w CROSS JOIN range(64) AS _b (bit)
    WHERE 64 * _w.block + _b.bit BETWEEN first AND greatest(first, 1) + permutations - 1
), _halves AS MATERIALIZED (
    -- what the first ten that differ add up to, by their signs, and the others
    SELECT
        _l.metric,
        _l.segment,
        _l.run_id,
        _l.baseline,
        _s.place,
        _s.half,
        coalesce(list_sum(list_transform( -- noqa: LT01
            _l.different[10 * _s.half + 1:10 * _s.half + 10], -- noqa: PRS
            lambda x, place: x * (1e0 - 2e0 * ((_s.place >> (place - 1)) & 1))
        )), 0e0) AS total
    FROM _lists AS _l
    CROSS JOIN (SELECT _r.place, _h.half FROM range(1024) AS _r (place) CROSS JOIN range(2) AS _h (half)) AS _s
    WHERE
        _l.num_different <= 20
        AND first = 0
        AND _s.place < 1 << greatest(least(_l.num_different - 10 * _s.half, 10), 0)
), _sums AS (
    SELECT
        _l.* EXCLUDE (differences, different),
        _s.permutation,
        list_sum(_l.differences) AS total,
        list_dot_product(_l.differences, _s.signs) AS flipped
    FROM _signs AS _s CROSS JOIN _lists AS _l
    WHERE _l.num_different > 20
    UNION ALL
    SELECT
        _l.* EXCLUDE (differences, different),
        _a.place + 1024 * _b.place AS permutation,
        list_sum(_l.different) AS total,
        _a.total + _b.total AS flipped
    FROM _lists AS _l
    INNER JOIN _halves AS _a
        ON
            _l.metric = _a.metric
            AND _l.segment IS NOT DISTINCT FROM _a.segment
            AND _l.run_id = _a.run_id
            AND _l.baseline = _a.baseline
            AND _a.half = 0
    INNER JOIN _halves AS _b
        ON
            _l.metric = _b.metric
            AND _l.segment IS NOT DISTINCT FROM _b.segment
            AND _l.run_id = _b.run_id
            AND _l.baseline = _b.baseline
            AND _b.half = 1
)
SELECT
    _s.metric,
    _s.segment,
    _s.run_id,
    _s.baseline,
    _s.permutation,
    coalesce(_s.total, 0e0) / _s.num_queries AS difference,
    coalesce(_s.flipped, 0e0) / _s.num_queries AS flipped_difference,
    _s.tolerance
FROM _sums AS _s;
