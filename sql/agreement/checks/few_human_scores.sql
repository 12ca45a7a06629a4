-- Runs with too few scores from people's judgments to estimate those of the other queries.
-- severity: error
-- remedy: an estimate needs three or more
-- automatic, human: as for estimated
CREATE OR REPLACE MACRO few_human_scores(automatic, human) AS TABLE
SELECT
    _a.run_id,
    _a.metric,
    concat(
        'run ', _a.run_id, ' has human scores of ', _a.metric, ' for ',
        CASE count(_h.query_id) WHEN 0 THEN 'no query' WHEN 1 THEN 'one query' ELSE 'two queries' END
    ) AS problem
FROM scored(automatic) AS _a
LEFT JOIN scored(human) AS _h ON _a.metric = _h.metric AND _a.run_id = _h.run_id AND _a.query_id = _h.query_id
WHERE _a.metric IN (SELECT _m.metric FROM scored(human) AS _m)
GROUP BY _a.run_id, _a.metric
HAVING count(_h.query_id) = 0 OR (count(_h.query_id) < 3 AND count(_h.query_id) < count(*))
ORDER BY _a.run_id ASC;
