-- A ratio; 0 if the whole is 0.
-- part, whole: numbers
CREATE OR REPLACE MACRO ratio(part, whole) AS coalesce(1e0 * part / nullif(whole, 0), 0e0);
