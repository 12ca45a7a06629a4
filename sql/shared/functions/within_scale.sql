-- The relevance itself, once it is known to be within the grade scale.
-- relevance: the judgment
-- max_rel: highest grade of the scale
CREATE OR REPLACE MACRO within_scale(relevance, max_rel) AS
    CASE
        WHEN relevance > max_rel
            THEN error(concat('relevance ', relevance, ' is above max_rel ', max_rel))
        ELSE relevance
    END;
