-- Queries that people judged and the machine did not, so that the two cannot be related.
-- severity: error
-- remedy: score the same runs and metrics with both, and all queries with the machine's judgments
-- automatic, human: as for estimated
CREATE OR REPLACE MACRO unpaired_scores(automatic, human) AS TABLE
SELECT
    _h.run_id,
    _h.metric,
    _h.query_id,
    concat(
        'run ', _h.run_id, ' has a human score of ', _h.metric, ' for query ', _h.query_id, ', but no automatic one'
    ) AS problem
FROM scored(human) AS _h
LEFT JOIN scored(automatic) AS _a
    ON _h.metric = _a.metric AND _h.run_id = _a.run_id AND _h.query_id = _a.query_id
WHERE _a.query_id IS NULL AND _h.metric IN (SELECT _m.metric FROM scored(automatic) AS _m);
