-- The measure of a user whose probability of seeing a rank is the same whatever the documents.
-- j: rows of cwl_stretches
-- measure: as for cwl_measure
-- k: number of ranks to see
-- shape, x: as for view_probability
-- goes_on: whether the user may continue past rank k
CREATE OR REPLACE MACRO position_user(j, measure, k, shape, x := NULL, goes_on := FALSE) AS
    cwl_measure(
        j,
        measure,
        exact_sum(CASE WHEN j.rank <= k THEN j.gain * view_probability(j.rank, shape, x) END),
        sum(j.opening) * view_probability_sum(k, shape, x),
        gain_beyond := CASE
            WHEN goes_on THEN exact_sum(CASE WHEN j.rank <= k THEN j.gain END) * view_probability(k + 1, shape, x)
            ELSE 0e0
        END,
        depth_beyond := CASE WHEN goes_on THEN sum(j.opening) * k * view_probability(k + 1, shape, x) ELSE 0e0 END
    );
