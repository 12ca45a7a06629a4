-- How many documents of a subtopic have a lower relevance than this one.
-- s: row of subtopics
-- x: not NULL for documents that count
CREATE OR REPLACE MACRO count_lower(s, x) AS
    count(x) OVER (
        PARTITION BY s.run_id, s.query_id, s.subtopic ORDER BY s.relevance ASC NULLS LAST RANGE UNBOUNDED PRECEDING
    ) - count(x) OVER (PARTITION BY s.run_id, s.query_id, s.subtopic, s.relevance);
