-- The different ratings, and how often each occurs: a list, from the lowest.
-- ratings: list of {rating, times}
CREATE OR REPLACE MACRO rating_counts(ratings) AS
    let(
        ratings,
        lambda listed: list_transform(
            list_sort(list_distinct(list_transform(listed, lambda each: each.rating))),
            lambda value: {
                'rating': value,
                'times': list_sum(list_transform(
                    listed, lambda each: CASE WHEN each.rating = value THEN each.times ELSE 0 END
                ))
            }
        )
    );
