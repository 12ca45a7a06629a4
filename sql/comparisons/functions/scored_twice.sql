-- The rows of two tables of scores, or of one.
-- scores_a, scores_b: as for order_agreement
-- queries: 'all' or 'common'; whether only the queries of each metric that both have
-- returns side: 'a' or 'b'
-- returns metric, run_id, query_id, score: as in scored
CREATE OR REPLACE MACRO scored_twice(scores_a, scores_b, queries) AS TABLE
WITH _scores AS (
    SELECT
        'a' AS side,
        _s.*
    FROM scored(scores_a) AS _s
    UNION ALL
    SELECT
        'b' AS side,
        _s.*
    FROM scored(scores_b) AS _s
)
SELECT _t.*
FROM _scores AS _t
WHERE
    queries = 'all'
    OR (_t.metric, _t.query_id) IN (
        SELECT (_q.metric, _q.query_id) FROM _scores AS _q
        GROUP BY _q.metric, _q.query_id
        HAVING count(DISTINCT _q.side) = 2
    );
