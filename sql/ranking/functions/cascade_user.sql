-- The measure of a user who stops at a document with the probability of its gain, and otherwise continues as if
--     documents did not matter.
-- j: rows of cwl_stretches
-- measure, k, shape, x, goes_on: as for position_user
CREATE OR REPLACE MACRO cascade_user(j, measure, k, shape, x := NULL, goes_on := FALSE) AS
    cwl_measure(
        j,
        measure,
        exact_sum(CASE WHEN j.rank <= k THEN j.gain * j.unsatisfied * view_probability(j.rank, shape, x) END),
        -- a user sees the ranks down to the document that satisfies, or all
        exact_sum(CASE WHEN j.rank <= k THEN j.gain * j.unsatisfied * ranks_seen(j.rank, shape, x) END)
        + (sum(j.opening) - exact_sum(CASE WHEN j.rank <= k THEN j.gain * j.unsatisfied END))
        * view_probability_sum(k, shape, x),
        gain_beyond := CASE
            WHEN goes_on
                THEN exact_sum(CASE WHEN j.rank <= k THEN j.gain * j.never_satisfied END)
                * view_probability(k + 1, shape, x)
            ELSE 0e0
        END,
        depth_beyond := CASE
            WHEN goes_on THEN exact_sum(j.opening * j.never_satisfied) * k * view_probability(k + 1, shape, x) ELSE 0e0
        END
    );
