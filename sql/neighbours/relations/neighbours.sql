-- The neighbours that an index returned beside the exact ones.
-- exact: table or file of the exact nearest neighbours: query_id, doc_id, distance
-- found: table or file of the returned neighbours: query_id, doc_id, distance, measured as those of exact, and, when it
--     holds several runs, run_id. If it has a rank, this is the order of the index
-- epsilon: 0 or more; how much further than the k-th exact neighbour a returned one may be to count as near
-- relative: whether epsilon is a share of the distance: (1 + epsilon) · distance instead of distance + epsilon
-- refuses: unusable_neighbours, repeated_neighbours, unanswered_neighbours
-- returns run_id, query_id: a row for each exact neighbour and one for each returned, of the queries in exact; a run
--     without run_id is called 'run'
-- returns ideal_rank: 1, 2, … of an exact neighbour by distance; NULL for a returned one. Of the same distance, the
--     larger doc_id (bytes) comes first
-- returns ideal_distance: distance of the exact neighbour
-- returns rank: 1, 2, … of a returned neighbour by its rank, or else by distance, as for ideal_rank; NULL for an exact
--     one
-- returns doc_id: the neighbour
-- returns distance: distance of the returned neighbour
-- returns true_rank: the ideal_rank of the returned neighbour; NULL if it is not one of the exact ones
-- returns true_first_rank: the first ideal_rank at the distance that it has there
-- returns true_level: 1, 2, … of this distance among those that differ
-- returns near_from: the smallest k for which it is near: no further than the k-th exact neighbour and epsilon
-- returns num_exact, num_ret: exact and returned neighbours of the query
-- numbered: SELECT * FROM query_table(found)
CREATE OR REPLACE MACRO neighbours(exact, found, epsilon DOUBLE := 1e-3, relative BOOLEAN := FALSE) AS TABLE
WITH _exact AS (
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.distance,
        row_number() OVER (
            PARTITION BY _e.query_id
            ORDER BY _e.distance ASC NULLS LAST, _e.doc_id DESC NULLS LAST
        ) AS rank,
        rank() OVER (PARTITION BY _e.query_id ORDER BY _e.distance ASC NULLS LAST) AS first_rank,
        dense_rank() OVER (PARTITION BY _e.query_id ORDER BY _e.distance ASC NULLS LAST) AS level
    FROM exact_neighbours(exact) AS _e
),
_found AS (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.distance,
        row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id
            ORDER BY _f.listed_rank ASC NULLS LAST, _f.distance ASC NULLS LAST, _f.doc_id DESC NULLS LAST
        ) AS rank
    FROM neighbour_lists(found) AS _f
),
_lists AS (
    SELECT
        _u.run_id,
        _q.query_id,
        _q.num_exact,
        coalesce(_n.num_ret, 0) AS num_ret
    FROM (
        SELECT
            _e.query_id,
            count(*) AS num_exact
        FROM _exact AS _e
        GROUP BY _e.query_id
    ) AS _q
    CROSS JOIN (SELECT DISTINCT _f.run_id FROM _found AS _f) AS _u
    LEFT JOIN (
        SELECT
            _f.run_id,
            _f.query_id,
            count(*) AS num_ret
        FROM _found AS _f
        GROUP BY _f.run_id, _f.query_id
    ) AS _n ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
SELECT
    _b.run_id,
    _b.query_id,
    _b.ideal_rank,
    _b.ideal_distance,
    _b.rank,
    _b.doc_id,
    _b.distance,
    _b.true_rank,
    _b.true_first_rank,
    _b.true_level,
    -- after the exact neighbours that do not reach as far
    CASE
        WHEN _b.rank IS NOT NULL
            THEN 1 + count(_b.ideal_rank) OVER (
                PARTITION BY _b.run_id, _b.query_id
                ORDER BY _b.reach ASC NULLS LAST, _b.rank ASC NULLS LAST, _b.ideal_rank ASC NULLS LAST
                ROWS UNBOUNDED PRECEDING
            )
    END AS near_from,
    _b.num_exact,
    _b.num_ret
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        CASE WHEN relative THEN (1e0 + epsilon) * _e.distance ELSE _e.distance + epsilon END AS reach,
        _e.rank AS ideal_rank,
        _e.distance AS ideal_distance,
        CAST(NULL AS BIGINT) AS rank,
        _e.doc_id,
        CAST(NULL AS DOUBLE) AS distance,
        CAST(NULL AS BIGINT) AS true_rank,
        CAST(NULL AS BIGINT) AS true_first_rank,
        CAST(NULL AS BIGINT) AS true_level,
        _a.num_exact,
        _a.num_ret
    FROM _lists AS _a
    INNER JOIN _exact AS _e ON _a.query_id = _e.query_id
    UNION ALL
    SELECT
        _l.run_id,
        _l.query_id,
        _f.distance AS reach,
        CAST(NULL AS BIGINT) AS ideal_rank,
        CAST(NULL AS DOUBLE) AS ideal_distance,
        _f.rank,
        _f.doc_id,
        _f.distance,
        _t.rank AS true_rank,
        _t.first_rank AS true_first_rank,
        _t.level AS true_level,
        _l.num_exact,
        _l.num_ret
    FROM _found AS _f
    INNER JOIN _lists AS _l
        ON _f.run_id = _l.run_id AND _f.query_id = _l.query_id
    LEFT JOIN _exact AS _t
        ON _f.query_id = _t.query_id AND _f.doc_id = _t.doc_id
) AS _b;
