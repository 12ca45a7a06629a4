-- The area under the ROC curve above the stretch of one non-relevant document, relevant and non-relevant documents counted.
-- hits_above, hits: relevant documents with a higher score, and with this score or a higher one
-- misses_above, misses: the same of non-relevant documents
-- width: non-relevant documents from which on the area does not count
CREATE OR REPLACE MACRO roc_area(hits_above, hits, misses_above, misses, width) AS
    CASE
        WHEN width <= misses_above THEN 0e0
        WHEN width >= misses THEN (hits_above + hits) / 2e0
        ELSE
            (width - misses_above) / (misses - misses_above)
            * (hits_above + (hits - hits_above) * (width - misses_above) / (misses - misses_above) / 2e0)
    END;
