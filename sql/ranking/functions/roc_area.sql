-- The area of the ROC curve over one non-relevant document, in counts of relevant and non-relevant documents. Documents
--     with the same score share a straight line.
-- j: row of judged, for a document judged not relevant
-- width: number of non-relevant documents from which the area does not count
CREATE OR REPLACE MACRO roc_area(j, width) AS
    CASE
        WHEN width <= j.false_positives_above THEN 0e0
        WHEN width >= false_positives_by_score(j) THEN (j.hits_above + hits_by_score(j)) / 2e0
        ELSE
            (width - j.false_positives_above) / (false_positives_by_score(j) - j.false_positives_above)
            * (
                j.hits_above
                + (hits_by_score(j) - j.hits_above)
                * (width - j.false_positives_above) / (false_positives_by_score(j) - j.false_positives_above) / 2e0
            )
    END;
