-- A baseline that is not among the runs.
-- severity: error
-- says: no run named '{baseline}'; the runs are {runs}
-- remedy: name one of them
-- scores: as for paired
-- baseline: as for paired
-- returns runs: their names
CREATE OR REPLACE MACRO unknown_baseline(scores, baseline := NULL) AS TABLE
SELECT
    CAST(baseline AS VARCHAR) AS baseline,
    string_agg(DISTINCT _s.run_id, ', ' ORDER BY _s.run_id ASC) AS runs
FROM scored(scores) AS _s
HAVING count(CASE WHEN _s.run_id = CAST(baseline AS VARCHAR) THEN 1 END) = 0 AND baseline IS NOT NULL;
