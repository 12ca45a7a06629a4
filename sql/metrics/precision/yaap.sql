-- AP as the log-odds that its sum of precisions makes, so that the extremes of queries average well.
-- name: Yaap
-- formula: ln((1 + S) / (1 + R − S)), S = Σ over relevant documents retrieved: P@rank
-- trec_eval: yaap
-- relation: judged
-- range: -inf to inf
-- empty: 0
-- source: Robertson 2012, On Smoothing Average Precision, ECIR; as trec_eval 10, a query without answer has ln(1 / (1 + R)), 0 in version 9
CREATE OR REPLACE MACRO yaap(j) AS
    ln(
        (1e0 + sum(CASE WHEN j.rank IS NOT NULL AND j.relevant = 1 THEN 1e0 * j.hits / j.rank ELSE 0e0 END))
        / (
            1e0
            + sum(
                CASE
                    WHEN j.rank IS NOT NULL AND j.relevant = 1 THEN 1e0 - 1e0 * j.hits / j.rank
                    ELSE 1e0 * j.relevant
                END
            )
        )
    );
CREATE OR REPLACE MACRO yaap(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, yaap(j) AS yaap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
