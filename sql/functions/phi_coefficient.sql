-- The correlation of being retrieved with being relevant; 0 where all documents or none are the one or the other.
-- corpus_size: documents of the collection
-- retrieved, num_rel, found: documents retrieved, relevant, and both
CREATE OR REPLACE MACRO phi_coefficient(corpus_size, retrieved, num_rel, found) AS
    -- TP * TN - FP * FN over the root of the product of the four margins; the numerator comes to this
    CASE
        WHEN all_others(corpus_size, retrieved, num_rel, found) >= 0
            THEN coalesce(
                (1e0 * corpus_size * found - 1e0 * retrieved * num_rel)
                / nullif(
                    sqrt(1e0 * retrieved * num_rel) * sqrt(1e0 * (corpus_size - retrieved) * (corpus_size - num_rel)),
                    0
                ),
                0e0
            )
    END;
