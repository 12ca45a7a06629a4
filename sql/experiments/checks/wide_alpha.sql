-- A level of significance of 0.5 or more, for which there is no one-sided interval.
-- severity: error
-- remedy: choose a smaller one
-- users: as for arms
-- alternative: as for experiment
-- alpha: as for experiment
CREATE OR REPLACE MACRO wide_alpha(users, alternative VARCHAR := 'two-sided', alpha DOUBLE := 5e-2) AS TABLE
SELECT
    concat(
        'alpha must be a number between 0 and 0.5 where alternative is ''', alternative, ''', not ', alpha
    ) AS problem
WHERE alternative <> 'two-sided' AND alpha >= 5e-1;
