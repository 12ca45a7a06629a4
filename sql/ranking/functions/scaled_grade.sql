-- How far a grade is above the lowest of the scale; 0 below it.
-- grade: the relevance, or what gains maps it to
-- min_rel, max_rel: lowest and highest grade of the scale
CREATE OR REPLACE MACRO scaled_grade(grade, min_rel, max_rel) AS
    CASE
        WHEN max_rel <= min_rel
            THEN error(concat('max_rel ', max_rel, ' must be above min_rel ', min_rel))
        WHEN within_scale(grade, max_rel) > min_rel THEN 1e0 * (grade - min_rel)
        ELSE 0e0
    END;
