-- The interpolated precision averaged over eleven recall points, 0, 0.1, … 1: the area under the precision-recall
--     curve.
-- name: iP11
-- aliases: IP11
-- formula: Σ over recall points r: IPrec@r / points
-- relation: interpolated(rel)
-- points: 2 or more; number of recall points, evenly spaced
-- lowest: from 0 to 1; first recall point
-- highest: from 0 to 1; last recall point
-- rounding: from 0 to 1; a recall point stands for floor(recall · R + rounding) relevant documents; 0.9 in trec_eval up
--     to version 9, 0.5 in version 10
-- range: 0 to 1
-- no relevant: 0
-- differs: recall points in the name, as in 11pt_avg_.25,.5,.75, must be evenly spaced. trec_eval 10 rounds recall · R
--     to the nearest whole number, see rounding; with option -J, it returns no number if nothing judged was retrieved
-- source: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4
CREATE OR REPLACE MACRO ip11(
    j, points BIGINT := 11, lowest DOUBLE := 0, highest DOUBLE := 1, rounding DOUBLE := 9e-1
) AS
    ratio(
        exact_sum(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN j.interpolated * recall_points(j.hits, j.num_rel, points, lowest, highest, rounding)
            END
        ),
        once_per_query(j, points)
    );
