-- Ratings without a document that two judges have rated.
-- severity: error
-- remedy: agreement needs documents that several have judged
-- ratings: as for rated
CREATE OR REPLACE MACRO lone_ratings(ratings) AS TABLE
SELECT
    _r.query_id,
    _r.doc_id,
    _r.judge,
    concat(
        'no document is rated by two judges; only ', _r.judge, ' rated ', _r.doc_id, ' for query ', _r.query_id
    ) AS problem
FROM read_ratings(ratings) AS _r
WHERE NOT EXISTS (
    SELECT 1
    FROM read_ratings(ratings) AS _o
    WHERE _o.relevance >= 0
    GROUP BY _o.query_id, _o.doc_id
    HAVING count(*) > 1
)
ORDER BY _r.query_id ASC, _r.doc_id ASC
LIMIT 1;
