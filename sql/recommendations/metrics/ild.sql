-- How different the items of a list are, by their categories (intra-list diversity).
-- name: ILD, ILD@k
-- aliases: IntraListDiversity
-- formula: mean over pairs of the first k items: 1 − categories of both / √(categories of one · categories of the
--     other), or with distance='hamming' the categories of only one; 0 for a single item
-- relation: shown_categories(k)
-- distance: 'cosine' or 'hamming'; of two items
-- range: 0 to ∞
-- source: Ziegler et al. 2005, doi:10.1145/1060745.1060754; RecTools IntraListDiversity
CREATE OR REPLACE MACRO ild(j, distance VARCHAR := 'cosine') AS
    -- the squares of sums over items are sums over pairs of them, and of each with itself
    CASE
        WHEN round(exact_sum(j.parts)) < 2 THEN 0e0
        WHEN distance = 'cosine'
            THEN 1e0 - (exact_sum(j.weight * j.weight) - round(exact_sum(j.parts)))
                / (round(exact_sum(j.parts)) * (round(exact_sum(j.parts)) - 1e0))
        WHEN distance = 'hamming'
            THEN 2e0 * (round(exact_sum(j.parts)) * sum(j.shown) - sum(j.shown * j.shown))
                / (round(exact_sum(j.parts)) * (round(exact_sum(j.parts)) - 1e0))
    END;
