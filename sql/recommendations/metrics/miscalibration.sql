-- How far the categories of the list are from those of the user's history, in nats.
-- name: Miscalibration, Miscalibration@k
-- aliases: CalibrationKL
-- formula: Σ over categories of the history: p · ln(p / ((1 − α) · q + α · p)), p = share in the history, q = share in
--     the first k, discounted; NULL for a user without history
-- relation: calibrated(k, discount)
-- alpha: between 0 and 1; share of the history that is added to the list, so that a category may be missing
-- range: 0 to ∞
-- better: lower
-- source: Steck 2018, doi:10.1145/3240323.3240372
CREATE OR REPLACE MACRO miscalibration(j, alpha DOUBLE := 0.01) AS
    exact_sum(j.wanted * ln(j.wanted / ((1e0 - alpha) * j.shown + alpha * j.wanted)));
