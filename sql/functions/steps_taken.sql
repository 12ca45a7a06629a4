-- How many ranks a user looks at who looks at the first and goes on from each with these probabilities.
-- steps: list of probabilities, rank by rank
CREATE OR REPLACE MACRO steps_taken(steps) AS -- noqa: PRS
    CASE
        WHEN len(steps) = 0 THEN 0e0
        -- 1 + C(1) · (1 + C(2) · (1 + …)), from within; the last step leads out of the list
        ELSE list_reduce(
            list_reverse(list_slice(steps, 1, len(steps) - 1)), lambda _span, _step: 1e0 + _span * _step, 1e0
        )
    END;
