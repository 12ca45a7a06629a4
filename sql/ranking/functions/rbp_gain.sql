-- The gain of a document in RBP.
-- relevant: 1 if relevant, else 0
-- grade: the relevance, or what gains maps it to
-- gain: 'binary' is 1 for a relevant document, 'linear' the grade itself, 'exponential' 2^grade - 1
-- max_rel: highest grade of the scale, by whose gain all gains are divided; this makes 'binary' gains linear. NULL does
--     not divide
CREATE OR REPLACE MACRO rbp_gain(relevant, grade, gain, max_rel) AS
    CASE
        WHEN gain = 'binary' AND max_rel IS NULL THEN 1e0 * relevant
        WHEN gain = 'binary' THEN graded_gain(within_scale(grade, max_rel), 'linear') / max_rel
        ELSE
            graded_gain(within_scale(grade, max_rel), gain)
            / CASE WHEN max_rel IS NULL THEN 1e0 ELSE graded_gain(max_rel, gain) END
    END;
