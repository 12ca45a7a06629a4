-- Whether a number is a rank, a whole number from 1 on.
-- value: the number
CREATE OR REPLACE MACRO is_rank(value) AS coalesce(isfinite(value) AND value >= 1 AND value = floor(value), FALSE);
