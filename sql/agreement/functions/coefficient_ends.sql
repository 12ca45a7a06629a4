-- The coefficients of agreement with their intervals.
-- found: rows of each sample of drawn_agreement, with sample, units and coefficient: {place, statistic, value}
-- resample: as for drawn_agreement
-- alpha: between 0 and 1; intervals contain the coefficient with 1 - alpha
-- returns place, statistic, value: one row each
-- returns low, high: percentiles of the bootstrap samples, expanded for their number
-- returns note: why there is no value or no interval
CREATE OR REPLACE MACRO coefficient_ends(found, resample, alpha) AS TABLE
WITH _tail AS MATERIALIZED (
    SELECT
        _u.units,
        CASE WHEN _u.units >= 6 THEN expanded_tail(alpha, _u.units) END AS tail
    FROM (SELECT max(_f.units) AS units FROM query_table(found) AS _f) AS _u
), _drawn AS (
    SELECT
        _f.coefficient.place,
        _f.coefficient.statistic,
        max(CASE WHEN _f.sample = -1 THEN _f.coefficient.value END) AS value,
        list_sort(list(_f.coefficient.value) FILTER (_f.sample >= 0 AND _f.coefficient.value IS NOT NULL)) AS drawn
    FROM query_table(found) AS _f
    GROUP BY _f.coefficient.place, _f.coefficient.statistic
), _ends AS (
    SELECT
        _d.*,
        _t.units,
        quantile_of(_d.drawn, _t.tail) AS low,
        quantile_of(_d.drawn, 1e0 - _t.tail) AS high
    FROM _drawn AS _d
    CROSS JOIN _tail AS _t
)
SELECT
    _e.place,
    _e.statistic,
    _e.value,
    -- what is the same in all samples is not certain
    CASE WHEN _e.low < _e.high THEN _e.low END AS low,
    CASE WHEN _e.low < _e.high THEN _e.high END AS high,
    nullif(concat_ws(
        '; ',
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
    ), '') AS note
FROM _ends AS _e;
