-- The documents that several judges have judged: a row for each, with all ratings.
-- ratings: table or file with a row for each rating: query_id, doc_id, judge, relevance
-- refuses: unusable_ratings, repeated_ratings, lone_ratings
-- once: document
-- returns query_id, doc_id: one row each
-- returns document: the two ids together; NULL in rows of resampled_queries
-- returns ratings: list of the relevance by each judge; one below 0 means not judged, and is left out
-- returns times: how often the row counts: once
CREATE OR REPLACE MACRO rated(ratings) AS TABLE
SELECT
    _r.query_id,
    _r.doc_id,
    [_r.query_id, _r.doc_id] AS document,
    list(_r.relevance ORDER BY _r.relevance ASC) AS ratings,
    1 AS times
FROM read_ratings(ratings) AS _r
WHERE _r.relevance >= 0
GROUP BY _r.query_id, _r.doc_id;
