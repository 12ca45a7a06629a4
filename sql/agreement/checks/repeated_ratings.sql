-- Documents that a judge has rated more than once for a query.
-- severity: error
-- remedy: keep one rating
-- ratings: as for rated
-- returns times: how many there are
CREATE OR REPLACE MACRO repeated_ratings(ratings) AS TABLE
SELECT
    _r.query_id,
    _r.doc_id,
    _r.judge,
    count(*) AS times,
    concat(
        'judge ', _r.judge, ' rates document ', _r.doc_id, ' ', count(*), ' times for query ', _r.query_id
    ) AS problem
FROM read_ratings(ratings) AS _r
GROUP BY _r.query_id, _r.doc_id, _r.judge
HAVING count(*) > 1;
