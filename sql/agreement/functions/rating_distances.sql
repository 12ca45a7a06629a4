-- How far ratings of the same document are apart, as a share of how far any two are.
-- pairs: rows with sample, a, b and weight: how often a document of the sample has these ratings by two judges, in
--     either order, divided by how many other judges each of them has
-- returns sample: one row each
-- returns ratings: how many there are
-- returns nominal, ordinal, squared: the sum of the distances within documents, by a level of krippendorff_alpha,
--     divided by that of all pairs of ratings; NULL if all ratings are the same
-- source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability
CREATE OR REPLACE MACRO rating_distances(pairs) AS TABLE
WITH _leveled AS (
    -- numbers of grades, as BigQuery has no partitions by fractions
    SELECT
        _p.sample,
        _p.a,
        _p.b,
        _p.weight,
        dense_rank() OVER (PARTITION BY _p.sample ORDER BY _p.a ASC NULLS LAST) AS level_a,
        dense_rank() OVER (PARTITION BY _p.sample ORDER BY _p.b ASC NULLS LAST) AS level_b
    FROM query_table(pairs) AS _p
), _counted AS (
    SELECT
        _p.*,
        sum(_p.weight) OVER (PARTITION BY _p.sample, _p.level_a) AS times_a,
        sum(_p.weight) OVER (PARTITION BY _p.sample, _p.level_b) AS times_b,
        sum(_p.weight) OVER (
            PARTITION BY _p.sample ORDER BY _p.a ASC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS up_to_a,
        sum(_p.weight) OVER (
            PARTITION BY _p.sample ORDER BY _p.b ASC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS up_to_b,
        min(_p.a) OVER (PARTITION BY _p.sample) AS lowest
    FROM _leveled AS _p
), _placed AS (
    SELECT
        _c.sample,
        _c.a - _c.lowest AS a,
        _c.b - _c.lowest AS b,
        _c.weight,
        _c.times_a,
        -- how many ratings are lower, and half of those that are equal
        max(_c.up_to_a) OVER (PARTITION BY _c.sample, _c.level_a) - _c.times_a / 2e0 AS place_a,
        max(_c.up_to_b) OVER (PARTITION BY _c.sample, _c.level_b) - _c.times_b / 2e0 AS place_b
    FROM _counted AS _c
)
SELECT
    _p.sample,
    sum(_p.weight) AS ratings,
    CASE
        WHEN max(_p.a) > 0
            THEN sum(CASE WHEN _p.a = _p.b THEN 0e0 ELSE _p.weight END)
            / (power(sum(_p.weight), 2) - sum(_p.weight * _p.times_a))
    END AS nominal,
    CASE
        WHEN max(_p.a) > 0
            THEN sum(_p.weight * power(_p.place_a - _p.place_b, 2)) / 2e0
            / (sum(_p.weight) * sum(_p.weight * power(_p.place_a, 2)) - power(sum(_p.weight * _p.place_a), 2))
    END AS ordinal,
    CASE
        WHEN max(_p.a) > 0
            THEN sum(_p.weight * power(_p.a - _p.b, 2)) / 2e0
            / (sum(_p.weight) * sum(_p.weight * power(_p.a, 2)) - power(sum(_p.weight * _p.a), 2))
    END AS squared
FROM _placed AS _p
GROUP BY _p.sample;
