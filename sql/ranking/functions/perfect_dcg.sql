-- The DCG of documents with a gain of 1 each.
-- first, last: first and last rank of these documents
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO perfect_dcg(first, last, discount, base) AS
    list_sum(list_transform(range(first, last + 1), lambda _rank: 1e0 / rank_discount(_rank, discount, base)));
