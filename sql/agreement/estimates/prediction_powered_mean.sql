-- The mean score that people would give, from a machine's scores for all queries, corrected by people's scores for
--     some.
-- relation: estimated
-- formula: w · mean of automatic, where there is no human + mean of (human - w · automatic), where there is; w as close
--     to 1 as the two agree
-- range: -∞ to ∞
-- source: Angelopoulos et al. 2023, doi:10.1126/science.adi6000, with the weight of Angelopoulos, Duchi and Zrnic 2023,
--     arXiv:2311.01453
CREATE OR REPLACE MACRO prediction_powered_mean(s) AS
    prediction_weight(s) * coalesce(avg(CASE WHEN s.human IS NULL THEN s.automatic END), 0e0)
    + avg(s.human)
    - prediction_weight(s) * avg(CASE WHEN s.human IS NOT NULL THEN s.automatic END);
