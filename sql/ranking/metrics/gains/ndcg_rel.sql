-- nDCG at the rank of each document with a gain, averaged over all of them; documents not retrieved count with the nDCG
--     of the whole ranking.
-- name: nDCG_rel
-- formula: Σ over documents with a gain: DCG@rank / IDCG@rank / their number
-- relation: cumulated(gain, gains)
-- range: 0 to 1
-- no relevant: 0
-- differs: trec_eval sorts gains less than 1 apart in the wrong order, and subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO ndcg_rel(j) AS
    ratio(
        exact_sum(CASE WHEN j.own_gain > 0 THEN j.dcg / j.ideal_dcg END),
        count(CASE WHEN j.own_gain > 0 THEN 1 END)
    );
