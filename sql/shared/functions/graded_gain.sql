-- The gain of a document with this grade.
-- grade: the relevance, or what gains maps it to
-- gain: 'linear' is the grade itself, 'exponential' is 2^grade - 1
-- negative: gain of a grade below 0: 'zero', or 'raw' for its own gain
CREATE OR REPLACE MACRO graded_gain(grade, gain, negative := 'zero') AS
    CASE
        WHEN grade <= 0 AND (grade = 0 OR negative = 'zero') THEN 0e0
        WHEN gain = 'binary' THEN CASE WHEN grade > 0 THEN 1e0 ELSE 0e0 END
        WHEN gain = 'linear' THEN grade
        WHEN gain = 'exponential' THEN power(2e0, grade) - 1e0
    END;
