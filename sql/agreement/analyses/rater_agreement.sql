-- How far any number of judges agree: each may have judged other documents.
-- ratings: as for rated
-- refuses: unusable_ratings, repeated_ratings, lone_ratings
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
WITH _rated AS MATERIALIZED (
    SELECT
        _r.query_id,
        _r.doc_id,
        dense_rank() OVER (
            ORDER BY _r.query_id ASC, CASE WHEN resample = 'queries' THEN '' ELSE _r.doc_id END ASC
        ) - 1 AS unit,
        _r.relevance / power_of_2(max(max(_r.relevance)) OVER ()) AS rating,
        1e0 * count(*) AS times,
        sum(count(*)) OVER (PARTITION BY _r.query_id, _r.doc_id) AS size
    FROM read_ratings(ratings) AS _r
    WHERE _r.relevance >= 0
    GROUP BY _r.query_id, _r.doc_id, _r.relevance
), _documents AS (
    SELECT DISTINCT
        _r.query_id,
        _r.doc_id,
        _r.size
    FROM _rated AS _r
), _sizes AS (
    SELECT
        count(*) AS documents,
        count(DISTINCT _d.query_id) AS queries,
        min(_d.size) AS fewest,
        max(_d.size) AS most
    FROM _documents AS _d
), _units AS (
    SELECT
        _x.unit,
        _x.rating AS a,
        _y.rating AS b,
        sum(CASE
            WHEN _x.size > 1
                THEN _x.times * (_y.times - CASE WHEN _x.rating = _y.rating THEN 1 ELSE 0 END) / (_x.size - 1e0)
            ELSE 0e0
        END) AS weight
    FROM _rated AS _x
    INNER JOIN _rated AS _y ON _x.query_id = _y.query_id AND _x.doc_id = _y.doc_id
    GROUP BY _x.unit, _x.rating, _y.rating
), _pairs AS MATERIALIZED (SELECT * FROM drawn_pairs(_units, samples, seed)), _distances AS (
    SELECT * FROM rating_distances(_pairs)
), _found AS (
    SELECT
        _d.sample,
        _u.units,
        _n.place,
        CASE _n.place
            WHEN 1 THEN 'nominal_alpha' WHEN 2 THEN 'alpha' WHEN 3 THEN 'interval_alpha' ELSE 'fleiss_kappa'
        END AS statistic,
        CASE
            WHEN _n.place = 1 THEN 1e0 - _d.nominal * (_d.ratings - 1)
            WHEN _n.place = 2 THEN 1e0 - _d.ordinal * (_d.ratings - 1)
            WHEN _n.place = 3 THEN 1e0 - _d.squared * (_d.ratings - 1)
            WHEN _s.fewest = _s.most THEN 1e0 - _d.nominal * _d.ratings
        END AS value
    FROM _distances AS _d
    CROSS JOIN (SELECT max(_p.units) AS units FROM _pairs AS _p) AS _u
    CROSS JOIN _sizes AS _s
    CROSS JOIN range(1, 5) AS _n (place)
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
