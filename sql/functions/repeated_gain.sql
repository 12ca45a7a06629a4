-- The discounted gain of one subtopic from k documents that all cover it.
-- k: whole number, 1 or more
-- alpha: share of the gain that is lost each time that a subtopic is covered again
-- discount: as for rank_discount
CREATE OR REPLACE MACRO repeated_gain(k, alpha, discount) AS
    list_sum(list_transform(
        range(1, k + 1), lambda _rank: power(1e0 - alpha, _rank - 1) / rank_discount(_rank, discount, 2)
    ));
