-- The mean distance of a rating from the others of its document.
-- documents: list of {ratings, times}, each with 2 ratings or more
-- weights: as for rating_distance
CREATE OR REPLACE MACRO observed_distance(documents, weights) AS
    list_sum(list_transform(
        documents,
        lambda rated: 1e0 * rated.times / (len(rated.ratings) - 1) * list_sum(list_transform(
            rated.ratings,
            lambda x: list_sum(list_transform(rated.ratings, lambda y: rating_distance(x, y, weights)))
        ))
    ))
    / list_sum(list_transform(documents, lambda rated: rated.times * len(rated.ratings)));
