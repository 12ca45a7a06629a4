-- A baseline that is not among the runs.
-- severity: error
-- remedy: name one of them
-- scores: as for paired
-- baseline: as for paired
CREATE OR REPLACE MACRO unknown_baseline(scores, baseline := NULL) AS TABLE
SELECT
    CAST(baseline AS VARCHAR) AS baseline,
    concat(
        'no run named ''', baseline, '''; the runs are ',
        listed_texts(_s.run_id)
    ) AS problem
FROM scored(scores) AS _s
HAVING count(CASE WHEN _s.run_id = CAST(baseline AS VARCHAR) THEN 1 END) = 0 AND baseline IS NOT NULL;
