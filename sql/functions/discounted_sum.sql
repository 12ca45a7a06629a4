-- The values of the first k documents, each divided by a discount that grows with the rank; 0 where there are none.
-- value: what a document is worth
-- rank: of the document, in any ranking; NULL where it is not part of it
-- k: cut-off rank, NULL takes the whole ranking
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO discounted_sum(value, rank, k, discount, base := 2) AS
    total(CASE WHEN first_k(rank, k) THEN value / rank_discount(rank, discount, base) ELSE 0e0 END);
