-- The sum of the first k values, each divided by a discount that grows with the rank; 0 if there are none.
-- value: value of a document
-- rank: rank of the document, in any ranking; NULL if it is not in it
-- k: cut-off rank, or NULL for the whole ranking
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO discounted_sum(value, rank, k, discount, base := 2) AS
    exact_sum(CASE WHEN within_k(rank, k) THEN value / rank_discount(rank, discount, base) ELSE 0e0 END);
