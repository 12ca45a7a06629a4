-- What is the same in all rows of a subtopic, once for each subtopic that counts.
-- j: rows of subtopics
-- value: of the subtopic
-- subtopics: 'relevant' counts those with something relevant, 'judged' all
CREATE OR REPLACE MACRO per_subtopic(j, value, subtopics := 'relevant') AS
    sum(CASE WHEN j.ideal_rank = 1 AND (subtopics = 'judged' OR j.relevant = 1) THEN value END);
