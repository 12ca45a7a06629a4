-- Rank-biased overlap: how alike the tops of two orders of the same items are.
-- relation: ordered
-- p: between 0 and 1; how likely a reader is to go on to the next depth
-- formula: (1 - p) / p · Σ over depths d: p^d · shared items among the first d / d, and p^n for what is beyond
-- range: 0 to 1
-- differs: for tied items, which have no order, it is the mean over all orders (RBO^a)
-- source: Webber, Moffat and Zobel 2010, doi:10.1145/1852102.1852106, and for ties Corsi and Urbano 2024,
--     doi:10.1145/3626772.3657700
CREATE OR REPLACE MACRO rbo(o, p DOUBLE := 9e-1) AS
    let(
        list({
            'first_a': o.first_a, 'last_a': o.last_a, 'first_b': o.first_b, 'last_b': o.last_b
        }),
        lambda items: (1e0 - p) / p * list_sum(list_transform(
            range(1, len(items) + 1),
            lambda depth: power(p, depth) / depth * list_sum(list_transform(
                items,
                lambda item: share_above(depth, item.first_a, item.last_a)
                * share_above(depth, item.first_b, item.last_b)
            ))
        )) + power(p, len(items))
    );
