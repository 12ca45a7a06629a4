-- How far two judges agree: two people, or people and a language model.
-- first, second: as for agreed
-- resample: 'queries' or 'documents'; what bootstrap samples are drawn of: documents of a query are seldom independent
-- rel: above 0; lowest relevance that counts as relevant, in positive_agreement
-- alpha: between 0 and 1; intervals contain the coefficient with 1 - alpha
-- samples: from 1 to 50000000; how many bootstrap samples are drawn
-- seed: of random draws: the same seed draws the same samples
-- returns statistic: raw_agreement, positive_agreement, kappa (Cohen's), linear_kappa, quadratic_kappa and alpha
--     (Krippendorff's, ordinal)
-- returns value: the coefficient; NULL if it cannot be computed
-- returns low, high: its interval: percentiles of bootstrap samples, expanded for their number
-- returns documents, queries: how many both have judged
-- returns first_only, second_only: documents that only one of them has judged, which are left out
-- returns note: why there is no value or no interval
-- example: first.csv second.csv
CREATE OR REPLACE MACRO agreement(
    first,
    second,
    resample VARCHAR := 'queries',
    rel DOUBLE := 1,
    alpha DOUBLE := 5e-2,
    samples BIGINT := 2000,
    seed BIGINT := 0
) AS TABLE
WITH _agreed AS MATERIALIZED (SELECT * FROM agreed(first, second)), _sizes AS (
    SELECT
        count(*) AS documents,
        count(DISTINCT _a.query_id) AS queries,
        (SELECT count(CASE WHEN _f.relevance >= 0 THEN 1 END) FROM judgments(first) AS _f) - count(*) AS first_only,
        (SELECT count(CASE WHEN _s.relevance >= 0 THEN 1 END) FROM judgments(second) AS _s) - count(*) AS second_only
    FROM _agreed AS _a
), _found AS (
    SELECT
        p.sample,
        p.units,
        unnest([
            { 'place': 1, 'statistic': 'raw_agreement', 'value': raw_agreement(p) },
            { 'place': 2, 'statistic': 'positive_agreement', 'value': positive_agreement(p, rel := rel) },
            { 'place': 3, 'statistic': 'kappa', 'value': cohen_kappa(p) },
            { 'place': 4, 'statistic': 'linear_kappa', 'value': cohen_kappa(p, weights := 'linear') },
            { 'place': 5, 'statistic': 'quadratic_kappa', 'value': cohen_kappa(p, weights := 'quadratic') },
            { 'place': 6, 'statistic': 'alpha', 'value': krippendorff_alpha(p) }
        ]) AS coefficient
    FROM drawn_agreement(_agreed, resample, samples, seed) AS p
    GROUP BY p.sample, p.units
)
SELECT
    _c.statistic,
    _c.value,
    _c.low,
    _c.high,
    _s.documents,
    _s.queries,
    _s.first_only,
    _s.second_only,
    _c.note
FROM coefficient_ends(_found, resample, alpha) AS _c
CROSS JOIN _sizes AS _s
ORDER BY _c.place ASC;
