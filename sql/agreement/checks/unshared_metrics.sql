-- Scores by a machine and by people that have no metric in common.
-- severity: error
-- remedy: score the same metrics with both
-- automatic, human: as for estimated
CREATE OR REPLACE MACRO unshared_metrics(automatic, human) AS TABLE
SELECT
    concat(
        'no metric in common: ', listed_texts(CASE WHEN _m.side = 'a' THEN _m.metric END),
        ' by the machine, ', listed_texts(CASE WHEN _m.side = 'h' THEN _m.metric END), ' by people'
    ) AS problem
FROM (
    SELECT DISTINCT
        'a' AS side,
        _a.metric
    FROM scored(automatic) AS _a
    UNION ALL
    SELECT DISTINCT
        'h' AS side,
        _h.metric
    FROM scored(human) AS _h
) AS _m
HAVING count(*) = count(DISTINCT _m.metric);
