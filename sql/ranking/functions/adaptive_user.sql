-- The measure of a user whose probability of continuing depends on the gain so far.
-- j: rows of ift_user or inst_user
-- measure: as for cwl_measure
CREATE OR REPLACE MACRO adaptive_user(j, measure) AS
    cwl_measure(
        j,
        measure,
        exact_sum(j.gain * j.reach),
        exact_sum(j.span * j.reach),
        gain_beyond := exact_sum(j.gain * j.reach_beyond),
        depth_beyond := exact_sum((j.until - j.rank + 1) * j.reach_beyond)
    );
