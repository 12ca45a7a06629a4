-- Texts in a message, once each, in order; in plain SQL the first and the last, with … between them.
-- x: the texts
-- no_lists: concat(min(x), CASE WHEN count(DISTINCT x) > 2 THEN ', …' ELSE '' END,
--     CASE WHEN min(x) < max(x) THEN concat(', ', max(x)) ELSE '' END)
CREATE OR REPLACE MACRO listed_texts(x) AS
    string_agg(DISTINCT x, ', ' ORDER BY x ASC);
