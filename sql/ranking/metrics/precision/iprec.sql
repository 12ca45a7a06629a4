-- The highest precision at any rank with at least this recall.
-- name: IPrec@recall
-- formula: max over ranks with a relevant document and at least ⌊r · R + rounding⌋ of them so far: P@rank
-- relation: judged(rel)
-- recall: from 0 to 1; share of the relevant documents; NULL means 0
-- rounding: from 0 to 1; a recall point stands for floor(recall · R + rounding) relevant documents; 0.9 in trec_eval up
--     to version 9, 0.5 in version 10
-- range: 0 to 1
-- no relevant: 0
-- differs: trec_eval 10 rounds recall · R to the nearest whole number, see rounding
-- source: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4
CREATE OR REPLACE MACRO iprec(j, recall DOUBLE := NULL, rounding DOUBLE := 9e-1) AS
    coalesce(
        max(
            CASE
                WHEN j.relevant = 1 AND j.hits >= recall_count(coalesce(recall, 0), j.num_rel, rounding)
                    THEN precision_at_rank(j)
            END
        ),
        0e0
    );
