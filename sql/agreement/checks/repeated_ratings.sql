-- Documents that a judge has rated more than once for a query.
-- severity: error
-- says: judge {judge} rates document {doc_id} {times} times for query {query_id}
-- remedy: keep one rating
-- ratings: as for rated
-- returns times: how many there are
CREATE OR REPLACE MACRO repeated_ratings(ratings) AS TABLE
SELECT
    _r.query_id,
    _r.doc_id,
    _r.judge,
    count(*) AS times
FROM read_ratings(ratings) AS _r
GROUP BY _r.query_id, _r.doc_id, _r.judge
HAVING count(*) > 1;
