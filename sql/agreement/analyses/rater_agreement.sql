-- How far any number of judges agree: each may have judged other documents.
-- ratings: as for rated
-- resample, alpha, samples, seed: as for agreement
-- returns statistic: nominal_alpha, alpha and interval_alpha (Krippendorff's; alpha is ordinal), fleiss_kappa
-- returns value: the coefficient; NULL if it cannot be computed
-- returns low, high: its interval: percentiles of bootstrap samples, expanded for their number
-- returns documents, queries: how many have been judged
-- returns note: why there is no value or no interval
-- example: ratings.csv
CREATE OR REPLACE MACRO rater_agreement(
    ratings, resample VARCHAR := 'queries', alpha DOUBLE := 5e-2, samples BIGINT := 2000, seed BIGINT := 0
) AS TABLE
WITH _rated AS MATERIALIZED (SELECT * FROM rated(ratings)), _sizes AS (
    SELECT
        count(*) AS documents,
        count(DISTINCT _r.query_id) AS queries,
        min(len(_r.ratings)) AS fewest,
        max(len(_r.ratings)) AS most
    FROM _rated AS _r
), _found AS (
    SELECT
        p.sample,
        p.units,
        unnest([
            { 'place': 1, 'statistic': 'nominal_alpha', 'value': krippendorff_alpha(p, level := 'nominal') },
            { 'place': 2, 'statistic': 'alpha', 'value': krippendorff_alpha(p) },
            { 'place': 3, 'statistic': 'interval_alpha', 'value': krippendorff_alpha(p, level := 'interval') },
            {
                'place': 4,
                'statistic': 'fleiss_kappa',
                'value': CASE WHEN max(_s.fewest) = max(_s.most) THEN fleiss_kappa(p) END
            }
        ]) AS coefficient
    FROM drawn_agreement(_rated, resample, samples, seed) AS p
    CROSS JOIN _sizes AS _s
    GROUP BY p.sample, p.units
)
SELECT
    _c.statistic,
    _c.value,
    _c.low,
    _c.high,
    _s.documents,
    _s.queries,
    CASE
        WHEN _c.statistic = 'fleiss_kappa' AND _s.fewest < _s.most
            THEN concat('documents have ', _s.fewest, ' to ', _s.most, ' ratings; it needs the same number of each')
        ELSE _c.note
    END AS note
FROM coefficient_ends(_found, resample, alpha) AS _c
CROSS JOIN _sizes AS _s
ORDER BY _c.place ASC;
