-- The discounted gain of one subtopic from k documents that all cover it.
-- k: whole number, 1 or more
-- alpha: share of the gain lost each time a subtopic is covered again
-- discount: as for rank_discount
CREATE OR REPLACE MACRO repeated_gain(k, alpha, discount) AS
    list_sum(list_transform(
        -- ranks too deep to change the sum are left out
        range(1, 1 + least(k, coalesce(1 + CAST(-4e1 / nullif(ln(nullif(1e0 - alpha, 0e0)), 0e0) AS BIGINT), k))),
        lambda _rank: power(1e0 - alpha, _rank - 1) / rank_discount(_rank, discount, 2)
    ));
