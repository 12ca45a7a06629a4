-- The number of ranks seen by a user who looks at the first and continues past each with these probabilities.
-- steps: list of probabilities, by rank
CREATE OR REPLACE MACRO steps_taken(steps) AS -- noqa: PRS
    CASE
        WHEN len(steps) = 0 THEN 0e0
        -- 1 + C(1) · (1 + C(2) · (1 + …)), from the inside out; the last step leads out of the list
        ELSE list_reduce(
            list_reverse(list_slice(steps, 1, len(steps) - 1)), lambda _span, _step: 1e0 + _span * _step, 1e0
        )
    END;
