-- TRUE, or an error that says the problem.
-- problem: what is wrong, or NULL
CREATE OR REPLACE MACRO must_hold(problem) AS error(problem) IS NULL;
