-- Queries in the order in which a system that may decline to answer would drop them, the least confident first.
-- scores: as for paired; scores of queries
-- confidences: table or file with the columns run_id, query_id and confidence; a higher number is more confident.
--     Queries without a row are left out
-- refuses: unusable_scores, repeated_scores, unusable_confidences
-- groups: metric, run_id
-- once: query_id
-- all: num_queries
-- returns metric, run_id, query_id: one row each
-- returns score: of the query
-- returns first_place, last_place: its places by confidence, from the lowest; those of equal confidence share theirs
-- returns oracle_place: its place by score, from the lowest
-- returns num_queries: queries that the run answers
CREATE OR REPLACE MACRO abstained(scores, confidences) AS TABLE
SELECT
    _s.metric,
    _s.run_id,
    _s.query_id,
    _s.score,
    rank() OVER (PARTITION BY _s.metric, _s.run_id ORDER BY _c.confidence ASC) AS first_place,
    count(*) OVER (PARTITION BY _s.metric, _s.run_id ORDER BY _c.confidence ASC) AS last_place,
    row_number() OVER (PARTITION BY _s.metric, _s.run_id ORDER BY _s.score ASC, _s.query_id ASC) AS oracle_place,
    count(*) OVER (PARTITION BY _s.metric, _s.run_id) AS num_queries
FROM scored(scores) AS _s
INNER JOIN query_table(confidences) AS _c
    ON _s.run_id = CAST(_c.run_id AS VARCHAR) AND _s.query_id = CAST(_c.query_id AS VARCHAR);
