-- The documents with the place of each rating on its scale: of an ordinal one, how many ratings are lower, and half of
--     those that are equal; of others the rating itself, divided so that it can be squared.
-- documents: list of {ratings, times}
-- level: as for krippendorff_alpha
CREATE OR REPLACE MACRO placed_ratings(documents, level) AS
    let(
        rating_counts(rating_list(documents)),
        lambda counts: list_transform(
            documents,
            lambda rated: {
                'ratings': list_transform(
                    rated.ratings,
                    lambda rating: CASE level
                        WHEN 'ordinal' THEN list_sum(list_transform(
                            counts,
                            lambda each: each.times * CASE
                                WHEN each.rating < rating THEN 1e0 WHEN each.rating = rating THEN 5e-1 ELSE 0e0
                            END
                        ))
                        ELSE rating / power_of_2(list_max(list_transform(counts, lambda each: each.rating)))
                    END
                ),
                'times': rated.times
            }
        )
    );
