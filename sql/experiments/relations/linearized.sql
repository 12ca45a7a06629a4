-- The users of a ratio of sums, such as clicks / pages, as rows for the aggregates of paired: scores whose mean is the
--     ratio, and whose standard error is that of the ratio (delta method).
-- users: as for arms; a user with a denominator of 0 is left out
-- refuses: unusable_users, repeated_users
-- groups: metric, segment, run_id, baseline
-- once: query_id
-- returns metric, segment: as in the table
-- returns run_id: the variant
-- returns baseline: NULL
-- returns query_id: the user
-- returns score: r + (numerator - r · denominator) / the mean denominator, r = Σ numerator / Σ denominator
-- returns baseline_score: 0
-- returns difference: score - baseline_score
-- returns outcome: 1 if the score is above 0, 0 if it is 0, else -1
-- returns scale: as in paired
-- source: Deng, Knoblich and Lu 2018, doi:10.1145/3219819.3219919; Budylin et al. 2018, doi:10.1145/3159652.3159699
CREATE OR REPLACE MACRO linearized(users) AS TABLE
SELECT
    _s.metric,
    _s.segment,
    _s.variant AS run_id,
    CAST(NULL AS VARCHAR) AS baseline,
    _s.user_id AS query_id,
    _s.score,
    0e0 AS baseline_score,
    _s.score AS difference,
    CAST(sign(_s.score) AS INTEGER) AS outcome,
    power_of_2(max(abs(_s.score)) OVER (PARTITION BY _s.metric, _s.segment, _s.variant)) AS scale
FROM (
    SELECT
        _r.*,
        _r.ratio + (_r.numerator - _r.ratio * _r.denominator) / _r.mean_denominator AS score
    FROM (
        SELECT
            _u.*,
            sum(_u.numerator) OVER _of_variant / sum(_u.denominator) OVER _of_variant AS ratio,
            avg(_u.denominator) OVER _of_variant AS mean_denominator
        FROM assigned(users) AS _u
        WHERE _u.denominator > 0
        WINDOW _of_variant AS (PARTITION BY _u.metric, _u.segment, _u.variant)
    ) AS _r
) AS _s;
