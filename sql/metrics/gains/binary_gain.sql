-- For each relevant document 1, divided by a discount that grows with the documents not relevant above it.
-- name: binG
-- formula: 1/R · Σ over relevant retrieved: 1 / log2(2 + documents above that are not relevant)
-- trec_eval: binG
-- nicknames: all_trec
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO binary_gain(j) AS
    coalesce(
        sum(CASE WHEN j.rank IS NOT NULL AND j.relevant = 1 THEN ln(2e0) / ln(2e0 + j.rank - j.hits) END)
        / nullif(sum(j.relevant), 0),
        0e0
    );
CREATE OR REPLACE MACRO binary_gain(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, binary_gain(j) AS binary_gain
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
