-- The average of nDCG at each rank where the gain of the ideal ranking drops, and at its end.
-- name: RnDCG
-- aliases: Rndcg
-- formula: Σ over levels of gain: DCG@r / IDCG@r / points, r = documents of that level or above; another point at the
--     end of a ranking longer than r + 1
-- relation: ideal_levels(gain, rel, gains)
-- range: 0 to 1
-- no relevant: 0
-- differs: trec_eval sorts gains less than 1 apart in the wrong order, and subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO rndcg(j) AS
    CASE
        WHEN max(j.num_rel) > 0
            THEN ratio(
                exact_sum(CASE WHEN j.level_end = 1 THEN j.dcg / j.ideal_dcg END)
                + max(j.goes_on) * ratio(discounted_sum(j.own_gain, j.rank, NULL, 'log'), max(j.ideal_dcg)),
                sum(j.level_end) + max(j.goes_on)
            )
        ELSE 0e0
    END;
