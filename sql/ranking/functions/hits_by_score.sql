-- The number of relevant documents that score at least as high as this one; those not retrieved tie below all others.
-- j: row of judged
CREATE OR REPLACE MACRO hits_by_score(j) AS
    CASE WHEN j.first_rank IS NULL THEN j.num_rel ELSE j.hits_above + j.hits_tied END;
