-- The shares of bootstrap samples below the two ends of a BCa interval.
-- below: share of samples below the mean
-- acceleration: how the error changes with the mean
-- confidence: between 0 and 1
-- least_share: if no samples, or all, are below the mean, this share is, or all but this one
CREATE OR REPLACE MACRO bca_shares(below, acceleration, confidence, least_share) AS
    let(
        normal_place(least(1e0 - least_share, greatest(least_share, below))),
        lambda z: list_transform(
            list_transform(
                -- named before they are used, since what uses them does so at each of its points
                list_transform(
                    [(1e0 - confidence) / 2e0, (1e0 + confidence) / 2e0], lambda tail: z + normal_place(tail)
                ),
                lambda moved: z + moved / (1e0 - acceleration * moved)
            ),
            lambda place: normal_share(place)
        )
    );
