-- What a document gains in RBP.
-- relevant: 1 when it is, else 0
-- grade: the relevance, or what gains maps it to
-- gain: 'binary' is 1 for a relevant document, 'linear' the grade itself, 'exponential' 2^grade - 1
-- max_rel: highest grade of the scale, whose gain others are divided by; with 'binary' they are linear then. NULL
--     divides by nothing
CREATE OR REPLACE MACRO rbp_gain(relevant, grade, gain, max_rel) AS
    CASE
        WHEN gain = 'binary' AND max_rel IS NULL THEN 1e0 * relevant
        WHEN gain = 'binary' THEN graded_gain(within_scale(grade, max_rel), 'linear') / max_rel
        ELSE
            graded_gain(within_scale(grade, max_rel), gain)
            / CASE WHEN max_rel IS NULL THEN 1e0 ELSE graded_gain(max_rel, gain) END
    END;
