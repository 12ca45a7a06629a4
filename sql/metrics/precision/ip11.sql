-- The interpolated precision averaged over eleven recall points, 0, 0.1, … 1: the area under the precision-recall
--     curve.
-- name: iP11
-- aliases: IP11
-- formula: Σ over recall points r: IPrec@r / points
-- in trec_eval: 11pt_avg; 11pt_avg_{recalls}
-- relation: interpolated(rel)
-- points: whole number, 2 or more; how many recall points, evenly spaced
-- lowest: number from 0 to 1; the first recall point
-- highest: number from 0 to 1; the last recall point
-- rounding: number from 0 to 1; recall · R + rounding, without its fraction, is how many relevant documents the recall
--     stands for: 0.9 in trec_eval to version 9, 0.5 in version 10
-- range: 0 to 1
-- no relevant: 0
-- differs: recall points in the name, as in 11pt_avg_.25,.5,.75, are refused unless evenly spaced. trec_eval 10 rounds
--     recall · R to the nearest number, see rounding; trec_eval's option -J gives no number where nothing judged was
--     retrieved
-- source: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4
CREATE OR REPLACE MACRO ip11(j, points := 11, lowest := 0, highest := 1, rounding := 9e-1) AS
    ratio(
        total(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN j.interpolated * recall_points(j.hits, j.num_rel, points, lowest, highest, rounding)
            END
        ),
        per_query(j, points)
    );
