-- The share of the weight that is on precision in F.
-- beta: weight of recall relative to precision
-- alpha: the share itself, in place of beta, or NULL
-- beta_squared: the square of beta, in place of beta, or NULL
CREATE OR REPLACE MACRO precision_weight(beta, alpha, beta_squared) AS
    coalesce(1e0 * alpha, 1e0 / (1e0 + coalesce(beta_squared, power(1e0 * beta, 2))));
