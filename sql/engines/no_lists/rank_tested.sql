-- Wilcoxon's signed-rank test of each pair of runs, without lists: ranks by windows, and the sums of all patterns of
--     signs from those of blocks, two and two.
-- pairs: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO rank_tested(pairs) AS TABLE
WITH _sizes AS (
    SELECT
        dense_rank() OVER (
            ORDER BY _p.metric ASC, _p.segment ASC NULLS LAST, _p.run_id ASC, _p.baseline ASC
        ) AS pair,
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        _p.query_id,
        _p.outcome,
        _p.scale,
        abs(_p.difference) AS size
    FROM query_table(pairs) AS _p
), _places AS (
    SELECT
        _s.pair,
        _s.outcome,
        row_number() OVER (PARTITION BY _s.pair ORDER BY _s.size ASC, _s.query_id ASC) AS place,
        -- differences of scores that are equal may differ by the rounding of the scores
        CASE
            WHEN
                _s.size - lag(_s.size) OVER (PARTITION BY _s.pair ORDER BY _s.size ASC, _s.query_id ASC)
                <= 1e-12 * _s.scale
                THEN 0
            ELSE 1
        END AS is_larger
    FROM _sizes AS _s
    WHERE _s.outcome <> 0
), _spans AS (
    SELECT
        _p.*,
        sum(_p.is_larger) OVER (PARTITION BY _p.pair ORDER BY _p.place ASC ROWS UNBOUNDED PRECEDING) AS span
    FROM _places AS _p
), _ranks AS (
    -- twice the mean rank of equal sizes, a whole number
    SELECT
        _s.pair,
        _s.place,
        _s.outcome,
        min(_s.place) OVER (PARTITION BY _s.pair, _s.span)
        + max(_s.place) OVER (PARTITION BY _s.pair, _s.span) AS weight,
        count(*) OVER (PARTITION BY _s.pair) AS num_ranks
    FROM _spans AS _s
), _found AS (
    SELECT
        _r.pair,
        count(*) AS num_ranks,
        sum(_r.weight) AS most,
        abs(sum(_r.outcome * _r.weight)) AS signed,
        sum(1e0 * _r.weight * _r.weight) AS squares
    FROM _ranks AS _r
    GROUP BY _r.pair
), _patterns AS (
    -- eight blocks of up to seven ranks, each with its 128 patterns: bit 0 is of ranks 1 to 8, bit 1 of 9 to 16, …
    SELECT
        _r.pair,
        (_r.place - 1) % 8 AS block,
        _n.pattern,
        sum(_r.weight * (CAST(floor(_n.pattern / power(2e0, floor((_r.place - 1) / 8e0))) AS BIGINT) % 2)) AS total
    FROM _ranks AS _r
    CROSS JOIN range(128) AS _n (pattern)
    WHERE _r.num_ranks <= 50
    GROUP BY _r.pair, (_r.place - 1) % 8, _n.pattern
), _blocks AS (
    SELECT
        _p.pair,
        _p.block,
        _p.total,
        count(*) / 128e0 AS chance
    FROM _patterns AS _p
    GROUP BY _p.pair, _p.block, _p.total
), _of_4 AS (
    SELECT * FROM added_patterns(_blocks, 4)
), _of_2 AS (
    SELECT * FROM added_patterns(_of_4, 2)
), _sought AS (
    -- the sums of signed ranks, doubled, are 2 × what is added, less all of it: the total of the second block that
    -- reaches the sum that was found, with each total of the first
    SELECT
        _f.pair,
        _a.block,
        _a.chance,
        CASE WHEN _a.block = 0 THEN (_f.most + _f.signed) / 2e0 - _a.total ELSE 1e0 * _a.total END AS total
    FROM _found AS _f
    INNER JOIN _of_2 AS _a ON _f.pair = _a.pair
), _exact AS MATERIALIZED (
    SELECT
        _r.pair,
        least(1e0, 2e0 * sum(CASE WHEN _r.block = 0 THEN _r.chance * _r.reached END)) AS p
    FROM (
        SELECT
            _s.*,
            sum(CASE WHEN _s.block = 1 THEN _s.chance ELSE 0e0 END) OVER (
                PARTITION BY _s.pair ORDER BY _s.total DESC, _s.block DESC ROWS UNBOUNDED PRECEDING
            ) AS reached
        FROM _sought AS _s
    ) AS _r
    GROUP BY _r.pair
), _tested AS MATERIALIZED (
    SELECT
        _n.metric,
        _n.segment,
        _n.run_id,
        _n.baseline,
        CASE
            WHEN _f.num_ranks > 50 THEN normal_p(1e0 * _f.signed / sqrt(_f.squares))
            WHEN _f.num_ranks > 1 THEN _e.p
            ELSE 1e0
        END AS p
    FROM (SELECT DISTINCT _s.pair, _s.metric, _s.segment, _s.run_id, _s.baseline FROM _sizes AS _s) AS _n
    LEFT JOIN _found AS _f ON _n.pair = _f.pair
    LEFT JOIN _exact AS _e ON _n.pair = _e.pair
)
SELECT * FROM _tested;
