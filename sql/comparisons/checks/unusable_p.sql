-- p-values that are not between 0 and 1.
-- severity: error
-- remedy: a p-value is from 0 to 1, or NULL where no test was possible
-- tests: as for corrected
CREATE OR REPLACE MACRO unusable_p(tests) AS TABLE
SELECT
    CAST(_t.p AS DOUBLE) AS p,
    concat('p is ', CAST(_t.p AS DOUBLE)) AS problem
FROM query_table(tests) AS _t
WHERE NOT (CAST(_t.p AS DOUBLE) >= 0 AND CAST(_t.p AS DOUBLE) <= 1);
