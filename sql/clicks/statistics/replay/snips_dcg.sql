-- The same as a share of what it would be with all that users click at rank 1 (self-normalised): it varies less between
--     logs, at the price of a small bias.
-- relation: replayed
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- formula: Σ weight / log2(rank + 1) over clicks / Σ weight; NULL without clicks
-- range: 0 to 1
-- source: Swaminathan and Joachims 2015, The self-normalized estimator for counterfactual learning
CREATE OR REPLACE MACRO snips_dcg(r, k BIGINT := NULL) AS
    exact_sum(CASE WHEN within_k(r.rank, k) THEN r.weight * ln(2e0) / ln(r.rank + 1e0) ELSE 0e0 END)
    / nullif(exact_sum(r.weight), 0);
