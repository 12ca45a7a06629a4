-- The probability of each sum of weights, 0, 1, 2, …, when a fair coin decides whether each weight is added.
-- weights: whole numbers
CREATE OR REPLACE MACRO sign_patterns(weights) AS
    list_reduce( -- noqa: PRS
        list_prepend([1e0], list_transform(weights, lambda w: [1e0 * w])),
        lambda chances, w: list_transform(
            range(len(chances) + CAST(w[1] AS BIGINT)),
            lambda total: (
                coalesce(chances[total + 1], 0e0)
                + CASE WHEN total >= w[1] THEN coalesce(chances[total + 1 - CAST(w[1] AS BIGINT)], 0e0) ELSE 0e0 END
            ) / 2e0
        )
    );
