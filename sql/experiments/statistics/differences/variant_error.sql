-- The standard error of the difference; NULL if an arm has fewer than 2 users.
-- relation: arms
-- formula: √ Σ over the two arms of the variance of (y - r · x) / (n · (mean of x)²), r = Σ y / Σ x
-- source: Deng, Knoblich and Lu 2018, doi:10.1145/3219819.3219919
CREATE OR REPLACE MACRO variant_error(a) AS sqrt(arm_variance(a, 0) + arm_variance(a, 1));
