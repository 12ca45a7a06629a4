-- The number of documents judged not relevant that score at least as high as this one; those not retrieved tie below
--     all others.
-- j: row of judged
CREATE OR REPLACE MACRO false_positives_by_score(j) AS
    CASE WHEN j.first_rank IS NULL THEN j.num_nonrel ELSE j.false_positives_above + j.false_positives_tied END;
