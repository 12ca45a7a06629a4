-- Documents judged not relevant with the score of this one or a higher one; those not retrieved are tied below all
--     others.
-- j: row of judged
CREATE OR REPLACE MACRO false_positives_by_score(j) AS
    CASE WHEN j.first_rank IS NULL THEN j.num_nonrel ELSE j.false_positives_above + j.false_positives_tied END;
