-- The mean distance of two ratings that are drawn independently.
-- first, second: rating_counts of each
-- weights: as for rating_distance
CREATE OR REPLACE MACRO expected_distance(first, second, weights) AS
    let(
        struct_pack(first := first, second := second),
        lambda counts: list_sum(list_transform(
            counts.first,
            lambda x: x.times * list_sum(list_transform(
                counts.second, lambda y: y.times * rating_distance(x.rating, y.rating, weights)
            ))
        ))
        / list_sum(list_transform(counts.first, lambda x: x.times))
        / list_sum(list_transform(counts.second, lambda y: y.times))
    );
