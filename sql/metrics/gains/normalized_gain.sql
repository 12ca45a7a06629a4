-- The gain of each document, divided by a discount that grows with what the ranking has missed of the ideal gain so far.
-- name: G
-- formula: Σ gain / log2(2 + Σ over ranks so far: max(ideal gain, 1) − Σ gain so far) / Σ ideal gain
-- trec_eval: G; G_{gains}
-- nicknames: all_trec
-- relation: cumulated
-- range: 0 to 1
-- empty: 0
-- differs: trec_eval sorts gains that are less than 1 apart wrongly; it subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO normalized_gain(j) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank IS NOT NULL
                    THEN j.own_gain * ln(2e0) / ln(2e0 + j.rank + j.ideal_surplus - j.cg)
            END
        )
        / nullif(sum(j.own_gain), 0),
        0e0
    );
CREATE OR REPLACE MACRO normalized_gain(qrels, run, gain := 'linear', gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, normalized_gain(j) AS normalized_gain
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
