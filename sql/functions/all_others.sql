-- How many documents of the collection are neither retrieved nor relevant.
-- corpus_size: documents of the collection
-- retrieved, num_rel, found: documents retrieved, relevant, and both; a mean over orders of tied documents is no whole number
CREATE OR REPLACE MACRO all_others(corpus_size, retrieved, num_rel, found) AS
    CASE
        WHEN retrieved + num_rel - found > corpus_size + 1e-6 THEN error(concat(
            'corpus_size ', corpus_size, ' is less than the ', retrieved + num_rel - found,
            ' documents that are retrieved or relevant'
        ))
        ELSE 1e0 * (corpus_size - (retrieved + num_rel - found))
    END;
