-- Rank-biased overlap, without lists: each item adds its part of each depth.
-- o, p: as for the other file of this name
CREATE OR REPLACE MACRO rbo(o, p := 9e-1) AS
    (1e0 - p) / p * sum(list_sum(list_transform(
        range(1, o.num_items + 1),
        lambda depth: power(1e0 * p, depth) / depth
        * share_above(depth, o.first_a, o.last_a) * share_above(depth, o.first_b, o.last_b)
    ))) + power(1e0 * p, count(*));
