-- The number of documents in the collection other than these.
-- corpus_size: number of documents in the collection
-- documents: number of documents retrieved or relevant; a mean over orders of tied documents may be a fraction
CREATE OR REPLACE MACRO remaining(corpus_size, documents) AS
    CASE
        WHEN documents > corpus_size + 1e-6 THEN error(concat(
            'corpus_size ', corpus_size, ' is less than the ', documents, ' documents retrieved or relevant'
        ))
        ELSE 1e0 * (corpus_size - documents)
    END;
