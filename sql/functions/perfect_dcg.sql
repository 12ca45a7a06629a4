-- The DCG of k documents that each gain 1.
-- k: whole number, 1 or more
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO perfect_dcg(k, discount, base) AS
    list_sum(list_transform(range(1, k + 1), lambda _rank: 1e0 / rank_discount(_rank, discount, base)));
