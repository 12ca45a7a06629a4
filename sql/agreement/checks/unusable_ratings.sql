-- Ratings that lack a query, document, judge or relevance, or whose relevance is not a finite number.
-- severity: error
-- remedy: each row needs a query_id, a doc_id, a judge and a finite number as relevance
-- ratings: as for rated
CREATE OR REPLACE MACRO unusable_ratings(ratings) AS TABLE
SELECT
    _r.query_id,
    _r.doc_id,
    _r.judge,
    coalesce(
        missing_id(_r.query_id, _r.doc_id),
        CASE WHEN _r.judge IS NULL THEN concat('no judge of document ', _r.doc_id, ' of query ', _r.query_id) END,
        concat(
            given_value('relevance', _r.given_relevance),
            ' by judge ', _r.judge, ' for document ', _r.doc_id, ' of query ', _r.query_id
        )
    ) AS problem
FROM read_ratings(ratings) AS _r
WHERE
    _r.query_id IS NULL OR _r.doc_id IS NULL OR _r.judge IS NULL OR _r.relevance IS NULL
    OR NOT isfinite(_r.relevance);
