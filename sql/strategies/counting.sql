-- Counts the documents above each judged one, without a sort: for long runs with few judgments. Returns the same rows
--     as sorting.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
CREATE OR REPLACE MACRO ranked(qrels, run, ties := 'descending') AS TABLE
WITH _found AS (
    -- the judged documents that were retrieved
    SELECT _d.*
    FROM retrieved_ordered(qrels, run, ties) AS _d
    INNER JOIN judgments(qrels) AS _q ON _d.query_id = _q.query_id AND _d.doc_id = _q.doc_id
),
_levels AS (
    -- their scores in each query, ascending
    SELECT
        _f.run_id,
        _f.query_id,
        list_sort(list(DISTINCT _f.score), 'ASC', 'NULLS LAST') AS scores,
        count(*) AS num_found
    FROM _found AS _f
    GROUP BY _f.run_id, _f.query_id
),
_counts AS (
    -- the number of documents above each of these scores up to the next, and of those with one of them
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret,
        histogram(_d.score, coalesce(_l.scores, [0e0])) AS steps,
        count(CASE WHEN list_contains(_l.scores, _d.score) THEN 1 END) AS num_level
    FROM retrieved(run) AS _d
    LEFT JOIN _levels AS _l ON _d.run_id = _l.run_id AND _d.query_id = _l.query_id
    GROUP BY _d.run_id, _d.query_id
),
_mixed AS (
    -- queries where unjudged documents have such a score as well
    SELECT
        _l.run_id,
        _l.query_id,
        _l.scores
    FROM _levels AS _l
    INNER JOIN _counts AS _c ON _l.run_id = _c.run_id AND _l.query_id = _c.query_id
    WHERE _c.num_level > _l.num_found
),
_tied AS (
    SELECT _f.*
    FROM _found AS _f
    LEFT JOIN _mixed AS _m ON _f.run_id = _m.run_id AND _f.query_id = _m.query_id
    WHERE _m.query_id IS NULL
    UNION ALL
    SELECT _d.*
    FROM retrieved_ordered(qrels, run, ties) AS _d
    INNER JOIN _mixed AS _m ON _d.run_id = _m.run_id AND _d.query_id = _m.query_id
    WHERE list_contains(_m.scores, _d.score)
),
_above AS (
    SELECT
        _s.run_id,
        _s.query_id,
        _s.step.key AS score,
        sum(_s.step.value) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.step.key DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS number
    FROM (SELECT _c.run_id, _c.query_id, unnest(map_entries(_c.steps)) AS step FROM _counts AS _c) AS _s
)
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    CAST(coalesce(_a.number, 0) + _m.place AS BIGINT) AS rank,
    CAST(CASE WHEN _m.place >= 1 THEN coalesce(_a.number, 0) + 1 END AS BIGINT) AS first_rank,
    _m.num_tied,
    coalesce(_c.num_ret, 0) AS num_ret
FROM judgments(qrels) AS _q
CROSS JOIN (SELECT DISTINCT _r.run_id FROM _counts AS _r) AS _u
LEFT JOIN _counts AS _c
    ON _u.run_id = _c.run_id AND _q.query_id = _c.query_id
LEFT JOIN tied_places(_tied) AS _m
    ON _u.run_id = _m.run_id AND _q.query_id = _m.query_id AND _q.doc_id = _m.doc_id
LEFT JOIN _above AS _a
    ON _m.run_id = _a.run_id AND _m.query_id = _a.query_id AND _m.score = _a.score;
