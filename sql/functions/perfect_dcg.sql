-- The DCG of documents that each gain 1.
-- first, last: ranks that they take up
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO perfect_dcg(first, last, discount, base) AS
    list_sum(list_transform(range(first, last + 1), lambda _rank: 1e0 / rank_discount(_rank, discount, base)));
