-- The mean score that people would give all of these queries, from a machine's scores for all, corrected by people's
--     scores for some.
-- relation: estimated
-- formula: mean of human + w · (mean of automatic over all queries - over those with human); w from 0 to 1, the higher
--     the more the two agree
-- range: -∞ to ∞
-- source: Angelopoulos et al. 2023, doi:10.1126/science.adi6000, with the weight of Angelopoulos, Duchi and Zrnic 2023,
--     arXiv:2311.01453
CREATE OR REPLACE MACRO prediction_powered_mean(s) AS
    avg(s.human)
    + prediction_weight(s) * (avg(s.automatic) - avg(CASE WHEN s.human IS NOT NULL THEN s.automatic END));
