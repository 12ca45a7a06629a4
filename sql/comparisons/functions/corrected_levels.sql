-- Tests with p corrected for their number, and the confidence of the intervals beside: that with which an interval
--     leaves out 0 where the corrected p is below alpha, and only there.
-- tests: as for corrected
-- correction: 'holm', 'bonferroni', 'bh', 'by' or 'none'
-- alpha: level of significance
-- returns p_corrected: the corrected p
-- returns significant: whether it is below alpha
-- returns confidence: 1 - alpha / d, the level at which the correction tests the row. Of m tests, d is m by Bonferroni;
--     m for the smallest p, m - 1 for the next, … by Holm, up to the first that is not significant; m / r where r are
--     significant by Benjamini and Hochberg, times 1 + 1/2 + … + 1/m by Benjamini and Yekutieli
-- source: Holm 1979, Scandinavian Journal of Statistics 6, 65-70; Benjamini and Yekutieli 2005,
--     doi:10.1198/016214504000001907
CREATE OR REPLACE MACRO corrected_levels(tests, correction, alpha) AS TABLE
SELECT
    _n.* EXCLUDE (_size, _place, _found),
    1e0 - alpha / greatest(1e0, CASE correction
        WHEN 'bonferroni' THEN 1e0 * _n._size
        WHEN 'holm' THEN 1e0 * (_n._size - least(_n._place - 1, _n._found))
        WHEN 'bh' THEN 1e0 * _n._size / greatest(1, _n._found)
        WHEN 'by' THEN 1e0 * _n._size / greatest(1, _n._found) * harmonic_number(_n._size)
    END) AS confidence
FROM (
    SELECT
        _p.*,
        _p.p_corrected < alpha AS significant,
        count(_p.p) OVER (PARTITION BY _p.family) AS _size,
        rank() OVER (PARTITION BY _p.family ORDER BY _p.p ASC NULLS LAST) AS _place,
        count(CASE WHEN _p.p_corrected < alpha THEN 1 END) OVER (PARTITION BY _p.family) AS _found
    FROM (
        SELECT
            _c.* EXCLUDE (bonferroni, holm, bh, "by"), -- noqa: RF06
            CASE correction
                WHEN 'bonferroni' THEN _c.bonferroni
                WHEN 'holm' THEN _c.holm
                WHEN 'bh' THEN _c.bh
                WHEN 'by' THEN _c."by" -- noqa: RF06
                ELSE _c.p
            END AS p_corrected
        FROM corrected(tests) AS _c
    ) AS _p
) AS _n;
