-- The DCG of the run, if the relevant documents are those that users click once they look at them (inverse propensity
--     scoring).
-- relation: replayed
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- formula: Σ weight / log2(rank + 1) over clicks / pages
-- range: 0 to ∞
-- source: Joachims, Swaminathan and Schnabel 2017, doi:10.1145/3018661.3018699
CREATE OR REPLACE MACRO ips_dcg(r, k BIGINT := NULL) AS
    exact_sum(CASE WHEN within_k(r.rank, k) THEN r.weight * ln(2e0) / ln(r.rank + 1e0) ELSE 0e0 END)
    / nullif(sum(r.is_page), 0);
