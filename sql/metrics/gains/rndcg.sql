-- nDCG at each rank where the gain of the ideal ranking falls, and at the end, averaged.
-- name: RnDCG
-- aliases: Rndcg
-- formula: Σ over levels of gain: DCG@r / IDCG@r / points, r = documents of that level or above; another point at the end of a ranking longer than r + 1
-- trec_eval: Rndcg; Rndcg_{gains}
-- nicknames: all_trec
-- relation: levelled
-- range: 0 to 1
-- empty: 0
-- differs: trec_eval sorts gains that are less than 1 apart wrongly; it subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO rndcg(j) AS
    CASE
        WHEN max(j.num_rel) > 0 AND max(j.own_gain) > 0
            THEN (
                sum(CASE WHEN j.own_gain > 0 AND j.ideal_rank = j.level_end THEN j.dcg / j.ideal_dcg ELSE 0e0 END)
                + CASE
                    WHEN max(j.num_ret) > 1 + max(CASE WHEN j.own_gain > 0 THEN j.ideal_rank END)
                        THEN
                            sum(
                                CASE
                                    WHEN j.rank IS NOT NULL THEN j.own_gain / rank_discount(j.rank, 'log', 2)
                                    ELSE 0e0
                                END
                            ) / max(j.ideal_dcg)
                    ELSE 0e0
                END
            ) / (
                sum(CASE WHEN j.own_gain > 0 AND j.ideal_rank = j.level_end THEN 1 ELSE 0 END)
                + CASE
                    WHEN max(j.num_ret) > 1 + max(CASE WHEN j.own_gain > 0 THEN j.ideal_rank END) THEN 1
                    ELSE 0
                END
            )
        ELSE 0e0
    END;
CREATE OR REPLACE MACRO rndcg(qrels, run, gain := 'linear', rel := 1, gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, rndcg(j) AS rndcg
FROM levelled(_placed) AS j
GROUP BY j.run_id, j.query_id;
