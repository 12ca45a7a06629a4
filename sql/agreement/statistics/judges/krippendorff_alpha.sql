-- Krippendorff's alpha: how far any number of judges agree beyond chance, whichever documents each has judged.
-- relation: rated
-- level: 'nominal', 'ordinal' or 'interval'; what a disagreement counts: 1, the square of how many ratings lie between,
--     or the square of the difference
-- formula: 1 - observed disagreement / expected disagreement, which is that of ratings drawn without replacement
-- range: -1 to 1
-- source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability
CREATE OR REPLACE MACRO krippendorff_alpha(r, level VARCHAR := 'ordinal') AS
    let(
        placed_ratings(
            coalesce(list(struct_pack(ratings := r.ratings, times := r.times)) FILTER (len(r.ratings) > 1), []), level
        ),
        lambda documents: let(
            rating_counts(rating_list(documents)),
            lambda counts: 1e0
            - observed_distance(documents, level) / nullif(expected_distance(counts, counts, level), 0)
            * (1e0 - 1e0 / list_sum(list_transform(counts, lambda each: each.times)))
        )
    );
