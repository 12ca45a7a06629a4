-- The sums of 1 / discount over the first 0, 1, … of some ranks.
-- ranks: list of ranks
-- discount, base: as for rank_discount
CREATE OR REPLACE MACRO discount_sums(ranks, discount, base) AS
    list_transform(
        range(len(ranks) + 1),
        lambda number: coalesce(
            list_sum(list_transform(ranks[:number], lambda rank: 1e0 / rank_discount(rank, discount, base))), 0e0
        )
    );
