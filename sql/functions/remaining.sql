-- How many documents of the collection are left beside some of them.
-- corpus_size: documents of the collection
-- documents: retrieved or relevant; a mean over orders of tied documents is no whole number
CREATE OR REPLACE MACRO remaining(corpus_size, documents) AS
    CASE
        WHEN documents > corpus_size + 1e-6 THEN error(concat(
            'corpus_size ', corpus_size, ' is less than the ', documents, ' documents that are retrieved or relevant'
        ))
        ELSE 1e0 * (corpus_size - documents)
    END;
