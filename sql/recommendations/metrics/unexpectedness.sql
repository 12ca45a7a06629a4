-- The share of the first k places without an item of a baseline, such as the most popular items.
-- name: Unexpectedness, Unexpectedness@k
-- formula: 1 − items among the first k of both lists / k
-- relation: matched
-- k: 1 or more; cut-off rank, or NULL for the whole list, whose length is then k
-- range: 0 to 1
-- differs: RePlay gives 0 to a user without a list of the baseline, here 1
-- source: Adamopoulos and Tuzhilin 2014, doi:10.1145/2559952; RePlay Unexpectedness
CREATE OR REPLACE MACRO unexpectedness(j, k BIGINT := NULL) AS
    1e0 - 1e0 * count(CASE WHEN within_k(j.rank, k) AND within_k(j.baseline_rank, k) THEN 1 END)
    / coalesce(k, max(j.num_ret));
