-- The mean of the variant, or its ratio if there are denominators.
-- relation: arms
-- formula: Σ numerator / Σ denominator over the users of the variant
CREATE OR REPLACE MACRO variant_mean(a) AS arm_mean(a, 1);
