-- A ratio of sums; NULL if the whole is 0.
-- part, whole: numbers
CREATE OR REPLACE MACRO rate(part, whole) AS 1e0 * part / nullif(whole, 0);
