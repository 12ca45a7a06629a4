-- Several runs where one is compared with others.
-- severity: error
-- remedy: keep one of them
-- baseline: as for moved
CREATE OR REPLACE MACRO several_baselines(baseline) AS TABLE
SELECT
    min(_b.run_id) AS run_id,
    concat('must be one run, not ', listed_texts(_b.run_id)) AS problem
FROM retrieved(baseline) AS _b
HAVING min(_b.run_id) < max(_b.run_id);
