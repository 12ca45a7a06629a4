-- p-values of many tests, corrected for their number: the rows of a table, with four more columns.
-- tests: table or file with the column p and, if there are several families of tests, family
-- refuses: unusable_p
-- returns bonferroni, holm: the highest chance of one false discovery or more in the family
-- returns bh, by: the share of false discoveries among those up to here (Benjamini-Hochberg for independent tests,
--     Benjamini-Yekutieli for any)
CREATE OR REPLACE MACRO corrected(tests) AS TABLE
SELECT
    _n.* EXCLUDE (_place, _size, _sum),
    CASE WHEN _n.p IS NOT NULL THEN least(1e0, _n.p * _n._size) END AS bonferroni,
    CASE
        WHEN _n.p IS NOT NULL
            THEN least(1e0, max(_n.p * (_n._size - _n._place + 1)) OVER (
                PARTITION BY _n.family ORDER BY _n._place ASC ROWS UNBOUNDED PRECEDING
            ))
    END AS holm,
    CASE
        WHEN _n.p IS NOT NULL
            THEN least(1e0, min(_n.p * _n._size / _n._place) OVER (
                PARTITION BY _n.family ORDER BY _n._place DESC ROWS UNBOUNDED PRECEDING
            ))
    END AS bh,
    CASE
        WHEN _n.p IS NOT NULL
            THEN least(1e0, min(_n.p * _n._size / _n._place * _n._sum) OVER (
                PARTITION BY _n.family ORDER BY _n._place DESC ROWS UNBOUNDED PRECEDING
            ))
    END AS "by" -- noqa: RF06
FROM (
    SELECT
        _s.*,
        harmonic_number(_s._size) AS _sum
    FROM (
        SELECT
            _t.*,
            row_number() OVER (PARTITION BY _t.family ORDER BY _t.p ASC NULLS LAST) AS _place,
            count(_t.p) OVER (PARTITION BY _t.family) AS _size
        FROM (
            SELECT * REPLACE (CAST(p AS DOUBLE) AS p) FROM query_table(tests)
            UNION ALL BY NAME
            SELECT CAST(NULL AS VARCHAR) AS family
            WHERE FALSE
        ) AS _t
    ) AS _s
) AS _n;
