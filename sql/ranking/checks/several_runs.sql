-- A baseline that holds more than one run; each item would be matched several times.
-- severity: error
-- remedy: keep one of them
-- baseline: as for matched
CREATE OR REPLACE MACRO several_runs(baseline) AS TABLE
SELECT concat('the baseline has several runs, such as ', min(_r.run_id), ' and ', max(_r.run_id)) AS problem
FROM retrieved(baseline) AS _r
HAVING min(_r.run_id) <> max(_r.run_id);
