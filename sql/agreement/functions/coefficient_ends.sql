-- The coefficients of agreement with their intervals.
-- found: rows of each sample of drawn_pairs, with sample, units, place, statistic and value
-- resample: 'queries' or 'documents'; what was drawn
-- alpha: between 0 and 1; intervals have a confidence of 1 - alpha
-- returns place, statistic, value: one row each
-- returns low, high: percentiles of the bootstrap samples, expanded for their number
-- returns note: why there is no value or no interval
CREATE OR REPLACE MACRO coefficient_ends(found, resample, alpha) AS TABLE
WITH _tail AS MATERIALIZED (
    SELECT
        _u.units,
        CASE WHEN _u.units >= 6 THEN expanded_tail(alpha, _u.units) END AS tail
    FROM (SELECT max(_f.units) AS units FROM query_table(found) AS _f) AS _u
), _ordered AS (
    SELECT
        _f.statistic,
        _f.value,
        row_number() OVER (PARTITION BY _f.statistic ORDER BY _f.value ASC) - 1 AS below,
        (count(*) OVER (PARTITION BY _f.statistic) - 1) * _t.tail AS low_place,
        (count(*) OVER (PARTITION BY _f.statistic) - 1) * (1e0 - _t.tail) AS high_place
    FROM query_table(found) AS _f
    CROSS JOIN _tail AS _t
    WHERE _f.sample >= 0 AND _f.value IS NOT NULL
), _quantiles AS (
    SELECT
        _o.statistic,
        max(CASE WHEN _o.below = floor(_o.low_place) THEN _o.value END) AS low,
        max(CASE WHEN _o.below = ceil(_o.low_place) THEN _o.value END) AS low_next,
        max(_o.low_place - floor(_o.low_place)) AS low_share,
        max(CASE WHEN _o.below = floor(_o.high_place) THEN _o.value END) AS high,
        max(CASE WHEN _o.below = ceil(_o.high_place) THEN _o.value END) AS high_next,
        max(_o.high_place - floor(_o.high_place)) AS high_share
    FROM _ordered AS _o
    GROUP BY _o.statistic
), _ends AS (
    SELECT
        _f.place,
        _f.statistic,
        _f.value,
        _f.units,
        _q.low + _q.low_share * (_q.low_next - _q.low) AS low,
        _q.high + _q.high_share * (_q.high_next - _q.high) AS high
    FROM query_table(found) AS _f
    LEFT JOIN _quantiles AS _q ON _f.statistic = _q.statistic
    WHERE _f.sample = -1
)
SELECT
    _e.place,
    _e.statistic,
    _e.value,
    -- what is the same in all samples is not certain
    CASE WHEN _e.low < _e.high THEN _e.low END AS low,
    CASE WHEN _e.low < _e.high THEN _e.high END AS high,
    joined_notes(
        CASE
            WHEN _e.value IS NULL AND _e.statistic = 'positive_agreement' THEN 'no document is relevant to either judge'
            WHEN _e.value IS NULL THEN 'all judgments are the same, as they would be by chance'
        END,
        CASE
            WHEN _e.units < 6
                THEN concat(
                    _e.units,
                    CASE
                        WHEN resample = 'documents' AND _e.units = 1 THEN ' document'
                        WHEN resample = 'documents' THEN ' documents'
                        WHEN _e.units = 1 THEN ' query'
                        ELSE ' queries'
                    END,
                    ': intervals need 6 or more',
                    CASE
                        WHEN resample = 'queries' THEN '; resample documents if they are independent'
                        ELSE ''
                    END
                )
            WHEN _e.low = _e.high THEN 'no interval: all samples have the same value'
        END
    ) AS note
FROM _ends AS _e;
