-- AP estimated from a sample of judgments: pooled documents that nobody judged count as relevant as often as judged ones.
-- name: infAP
-- aliases: InfAP
-- formula: 1/R · Σ over relevant retrieved: 1/rank + pooled above / rank · (relevant above + ε) / (judged above + 2ε)
-- trec_eval: infAP
-- ir_measures: infAP
-- nicknames: all_trec
-- relation: sampled
-- range: 0 to 1
-- empty: 0
-- source: Yilmaz and Aslam 2006, doi:10.1145/1183614.1183633; a relevance below 0 marks what was pooled and not judged
CREATE OR REPLACE MACRO inf_ap(j) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN (
                        1e0 + (j.hits - 1 + j.misses + j.skips)
                        * (j.hits - 1 + 1e-5) / (j.hits - 1 + j.misses + 2e-5)
                    ) / j.rank
            END
        )
        / nullif(sum(j.relevant), 0),
        0e0
    );
CREATE OR REPLACE MACRO inf_ap(qrels, run, rel := 1) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, inf_ap(j) AS inf_ap
FROM sampled(_judged) AS j
GROUP BY j.run_id, j.query_id;
