-- Scores of queries from many judgments by a machine and a few by people: a row for each metric, run and query that the
--     machine judged.
-- automatic: table or file of scores from the machine's judgments: run_id, metric, query_id, score
-- human: the same from people's judgments, for some of the queries
-- refuses: unusable_scores, repeated_scores, unshared_metrics, unpaired_scores
-- groups: metric, run_id
-- once: query_id
-- returns metric, run_id, query_id: one row each
-- returns automatic, human: the two scores; human is NULL where no one judged
-- returns scale: a power of two about as large as the largest of these
CREATE OR REPLACE MACRO estimated(automatic, human) AS TABLE
SELECT
    _a.metric,
    _a.run_id,
    _a.query_id,
    _a.score AS automatic,
    _h.score AS human,
    power_of_2(max(greatest(abs(_a.score), abs(coalesce(_h.score, _a.score)))) OVER (
        PARTITION BY _a.metric, _a.run_id
    )) AS scale
FROM scored(automatic) AS _a
LEFT JOIN scored(human) AS _h
    ON _a.metric = _h.metric AND _a.run_id = _h.run_id AND _a.query_id = _h.query_id;
