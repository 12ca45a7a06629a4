-- TRUE, or an error that says the problem.
-- problem: what is wrong, or NULL
-- spark: CASE WHEN problem IS NOT NULL THEN error(problem) IS NULL ELSE TRUE END
CREATE OR REPLACE MACRO must_hold(problem) AS error(problem) IS NULL;
