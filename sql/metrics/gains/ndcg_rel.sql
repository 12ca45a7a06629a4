-- nDCG at the rank of each document with a gain, averaged over all of them; those not retrieved take that of the whole ranking.
-- name: nDCG_rel
-- formula: Σ over documents with a gain: DCG@rank / IDCG@rank / their number
-- trec_eval: ndcg_rel; ndcg_rel_{gains}
-- nicknames: all_trec
-- relation: cumulated
-- range: 0 to 1
-- empty: 0
-- differs: trec_eval sorts gains that are less than 1 apart wrongly; it subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO ndcg_rel(j) AS
    coalesce(
        sum(CASE WHEN j.own_gain > 0 THEN j.dcg / j.ideal_dcg END)
        / nullif(sum(CASE WHEN j.own_gain > 0 THEN 1 END), 0),
        0e0
    );
CREATE OR REPLACE MACRO ndcg_rel(qrels, run, gain := 'linear', gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, ndcg_rel(j) AS ndcg_rel
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
