-- How unequally the items of the catalogue are shown: 0 if all are shown equally often, near 1 if only one is.
-- name: Gini, Gini@k
-- aliases: GiniIndex
-- formula: Σ over items, the least shown first: (2 · place − n − 1) · x / (n · Σ x), x = lists that have the item among
--     their first k, n = items of the catalogue
-- relation: exposed(k)
-- exposure: 'lists' or 'discounted'; how a list counts: 1 or 1 / log2(rank + 1)
-- range: 0 to 1
-- better: lower
-- differs: in elliot 1 is equality, and n − 1 is in place of n
-- source: Chin, Chen and Cong 2022, doi:10.1145/3523227.3546771; RecBole GiniIndex
CREATE OR REPLACE MACRO gini(j, exposure VARCHAR := 'lists') AS
    CASE exposure
        WHEN 'lists'
            THEN 1e0 * sum((2 * j.place - j.num_items - 1) * j.lists) / nullif(max(j.num_items) * sum(j.lists), 0)
        WHEN 'discounted'
            THEN exact_sum((2 * j.discounted_place - j.num_items - 1) * j.discounted)
                / nullif(max(j.num_items) * exact_sum(j.discounted), 0)
    END;
