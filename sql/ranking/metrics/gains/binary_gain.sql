-- For each relevant document retrieved, 1 divided by a discount that grows with the non-relevant documents above it,
--     averaged over all relevant documents.
-- name: binG
-- formula: 1/R · Σ over relevant retrieved: 1 / log2(2 + documents above that are not relevant)
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 0
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO binary_gain(j) AS
    ratio(
        exact_sum(CASE WHEN j.relevant = 1 THEN 1e0 / rank_discount(1 + j.rank - j.hits, 'log', 2) END),
        sum(j.relevant)
    );
