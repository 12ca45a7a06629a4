-- Krippendorff's alpha: how far any number of judges agree beyond chance, whichever documents each has judged.
-- relation: rated
-- level: 'nominal', 'ordinal' or 'interval'; what a disagreement counts: 1, the square of how many ratings lie between,
--     or the square of the difference
-- formula: 1 - observed disagreement / expected disagreement
-- range: -1 to 1
-- source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability
CREATE OR REPLACE MACRO krippendorff_alpha(r, level VARCHAR := 'ordinal') AS
    list_transform(
        [coalesce(list(struct_pack(ratings := r.ratings, times := r.times)) FILTER (len(r.ratings) > 1), [])],
        lambda documents: list_transform(
            [placed_ratings(documents, rating_counts(rating_list(documents)), level)],
            lambda placed: list_transform(
                [rating_counts(rating_list(placed))],
                lambda counts: 1e0
                - observed_distance(placed, CASE level WHEN 'nominal' THEN 'none' ELSE 'quadratic' END)
                / nullif(
                    expected_distance(counts, counts, CASE level WHEN 'nominal' THEN 'none' ELSE 'quadratic' END), 0
                )
                * (list_sum(list_transform(counts, lambda each: each.times)) - 1)
                / power(list_sum(list_transform(counts, lambda each: each.times)), 2)
            )[1]
        )[1]
    )[1];
