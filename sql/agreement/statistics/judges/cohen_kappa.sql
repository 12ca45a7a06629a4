-- Cohen's kappa: how far two judges agree beyond chance; 1 if always, 0 if as often as by chance.
-- relation: agreed
-- weights: 'none', 'linear' or 'quadratic'; what a disagreement counts: 1, the difference of the grades, or its square
-- formula: 1 - mean distance of the two ratings / mean distance of a rating of each, drawn independently
-- range: -1 to 1
-- differs: scikit-learn uses places among the grades that occur, not grades; they differ if a grade does not occur
-- source: Cohen 1960, doi:10.1177/001316446002000104, and with weights Cohen 1968, doi:10.1037/h0026256
CREATE OR REPLACE MACRO cohen_kappa(r, weights VARCHAR := 'none') AS
    1e0 - sum(r.times * rating_distance(r.a / r.scale, r.b / r.scale, weights)) * sum(r.times)
    / nullif(
        CASE
            WHEN weights = 'quadratic'
                THEN sum(r.times) * sum(r.times * (power(r.a / r.scale, 2) + power(r.b / r.scale, 2)))
                    - 2e0 * sum(r.times * r.a / r.scale) * sum(r.times * r.b / r.scale)
            ELSE expected_distance(
                rating_counts(list(struct_pack(rating := r.a / r.scale, times := r.times))),
                rating_counts(list(struct_pack(rating := r.b / r.scale, times := r.times))),
                weights
            ) * sum(r.times) * sum(r.times)
        END,
        0
    );
