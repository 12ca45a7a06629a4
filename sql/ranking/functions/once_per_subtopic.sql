-- A value that is the same in all rows of a subtopic, once per subtopic that counts.
-- j: rows of subtopics
-- value: value of the subtopic
-- subtopics: 'relevant' counts subtopics with a relevant document, 'judged' counts all
CREATE OR REPLACE MACRO once_per_subtopic(j, value, subtopics := 'relevant') AS
    sum(CASE WHEN j.ideal_rank = 1 AND (subtopics = 'judged' OR j.relevant = 1) THEN value END);
