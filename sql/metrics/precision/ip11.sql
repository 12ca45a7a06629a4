-- The interpolated precision averaged over eleven recall points, 0, 0.1, … 1: the area under the precision-recall curve.
-- name: iP11
-- aliases: IP11
-- formula: Σ over recall points r: IPrec@r / points
-- trec_eval: 11pt_avg
-- nicknames: all_trec
-- relation: interpolated
-- points: whole number, 2 or more; how many recall points, evenly spaced from 0 to 1
-- rounding: number from 0 to 1; recall · R + rounding, without its fraction, is how many relevant documents the recall stands for: 0.9 in trec_eval to version 9, 0.5 in version 10
-- range: 0 to 1
-- empty: 0
-- differs: trec_eval 10 rounds recall · R to the nearest number, see rounding; trec_eval's option -J gives no number where nothing judged was retrieved
-- source: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4
CREATE OR REPLACE MACRO ip11(j, points := 11, rounding := 9e-1) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN j.interpolated * recall_points(j.hits, j.num_rel, points, rounding)
            END
        )
        / sum(CASE WHEN j.ideal_rank = 1 THEN points END),
        0e0
    );
CREATE OR REPLACE MACRO ip11(qrels, run, points := 11, rounding := 9e-1, rel := 1) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, ip11(j, points := points, rounding := rounding) AS ip11
FROM interpolated(_judged) AS j
GROUP BY j.run_id, j.query_id;
