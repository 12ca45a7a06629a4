-- 1 for one row of each subtopic that counts, else 0.
-- subtopics: 'relevant' counts those with something relevant, 'judged' all
-- ideal_rank, relevant: as in subtopics
CREATE OR REPLACE MACRO counted_subtopic(subtopics, ideal_rank, relevant) AS
    CASE
        WHEN subtopics NOT IN ('relevant', 'judged')
            THEN error(concat('subtopics is ''relevant'' or ''judged'', not ''', subtopics, ''''))
        WHEN ideal_rank > 1 OR (subtopics = 'relevant' AND relevant = 0) THEN 0
        ELSE 1
    END;
