-- The mean of the share of the relevant documents that is retrieved and that of the others that is not; one alone where there are no others.
-- corpus_size: documents of the collection
-- retrieved, num_rel, found: documents retrieved, relevant, and both
CREATE OR REPLACE MACRO balanced_share(corpus_size, retrieved, num_rel, found) AS
    CASE
        WHEN all_others(corpus_size, retrieved, num_rel, found) >= 0
            THEN CASE
                WHEN num_rel = 0 THEN 1e0 - 1e0 * retrieved / corpus_size
                WHEN num_rel = corpus_size THEN 1e0 * found / num_rel
                ELSE (1e0 * found / num_rel + 1e0 - 1e0 * (retrieved - found) / (corpus_size - num_rel)) / 2
            END
    END;
