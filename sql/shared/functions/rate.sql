-- A ratio of sums; NULL if the whole is 0.
-- part, whole: numbers
-- two_sums: { 'part': 1e0 * part, 'whole': 1e0 * whole }
CREATE OR REPLACE MACRO rate(part, whole) AS 1e0 * part / nullif(whole, 0);
