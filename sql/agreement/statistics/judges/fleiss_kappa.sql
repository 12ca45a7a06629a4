-- Fleiss' kappa: how far several judges agree beyond chance, where all documents have the same number of ratings.
-- relation: rated
-- formula: (mean share of pairs of ratings of a document that agree - Σ share of each grade²) / (1 - Σ share of each
--     grade²)
-- range: -1 to 1
-- source: Fleiss 1971, doi:10.1037/h0031619
CREATE OR REPLACE MACRO fleiss_kappa(r) AS
    CASE
        WHEN min(len(r.ratings)) <> max(len(r.ratings)) OR min(len(r.ratings)) < 2
            THEN error(concat(
                'fleiss_kappa: documents have ', min(len(r.ratings)), ' to ', max(len(r.ratings)),
                ' ratings; it needs the same number of each, 2 or more. krippendorff_alpha takes any'
            ))
        ELSE let(
            list(struct_pack(ratings := r.ratings, times := r.times)),
            lambda documents: let(
                rating_counts(rating_list(documents)),
                lambda counts: 1e0 - observed_distance(documents, 'none')
                / nullif(expected_distance(counts, counts, 'none'), 0)
            )
        )
    END;
