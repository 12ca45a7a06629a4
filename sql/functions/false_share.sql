-- The share of the documents that are not relevant that is retrieved; 0 when all are relevant.
-- corpus_size: documents of the collection
-- retrieved, num_rel, found: documents retrieved, relevant, and both
CREATE OR REPLACE MACRO false_share(corpus_size, retrieved, num_rel, found) AS
    CASE
        WHEN all_others(corpus_size, retrieved, num_rel, found) >= 0
            THEN coalesce(1e0 * (retrieved - found) / nullif(corpus_size - num_rel, 0), 0e0)
    END;
