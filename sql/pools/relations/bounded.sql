-- The rows of judged, and a row for each document that a run retrieved and nobody judged: such documents may turn out
--     to have any relevance, from 0 to the highest grade.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- gains: as for judged; gain of each relevance
-- ties: as for judged; order of documents of the same score
-- depth: 1 or more; number of documents to keep per query, or NULL for all. Only these may turn out to be relevant
-- max_rel: above 0; highest relevance that an unjudged document can get, or NULL for the highest in qrels, or 1 if
--     nothing is above 0 there
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     unjudged_runs
-- groups: run_id, query_id
-- returns run_id, query_id: one group of rows each
-- returns rank: 1, 2, … by score descending; NULL for a judged document that was not retrieved
-- returns grade: the relevance, or what gains maps it to; NULL for an unjudged document
-- returns relevant: 1 if relevance >= rel, else 0; NULL for an unjudged document
-- returns num_rel: judged relevant documents of the query
-- returns top_grade: the highest grade that an unjudged document can get
-- returns top_relevant: 1 if an unjudged document can be relevant, else 0: its highest relevance may be below rel
-- returns unjudged_above, unjudged_below: unjudged documents at this rank or above, and at this rank or below
-- returns precisions: Σ of the precisions at relevant documents
-- returns first_precisions: the same, if those unjudged at this rank and above are relevant; NULL for a judged document
-- returns last_precisions: the same, if those unjudged at this rank and below are relevant
CREATE OR REPLACE MACRO bounded(
    qrels, run, rel DOUBLE := 1, gains MAP (DOUBLE, DOUBLE) := NULL, ties VARCHAR := 'descending',
    depth BIGINT := NULL, max_rel DOUBLE := NULL
) AS TABLE
WITH _judged AS (
    SELECT
        _j.*,
        CASE WHEN _j.relevant = 1 THEN 1e0 / _j.rank END AS share
    FROM judged(qrels, run, rel := rel, gains := gains, ties := ties, depth := depth) AS _j
), _lists AS (
    SELECT
        _j.run_id,
        _j.query_id,
        max(_j.num_ret) AS num_ret,
        max(_j.num_rel) AS num_rel,
        count(CASE WHEN _j.relevance >= 0 THEN _j.rank END) AS num_judged,
        coalesce(exact_sum(_j.share), 0e0) AS shares,
        coalesce(exact_sum(_j.share * _j.hits), 0e0) AS precisions
    FROM _judged AS _j
    GROUP BY _j.run_id, _j.query_id
), _gaps AS (
    -- from each judged document, and from the top, to the next one
    SELECT
        _r.*,
        coalesce(lead(_r.rank) OVER _down, _r.num_ret + 1) AS next_rank,
        -- what one more relevant document above adds to the precisions at those below
        _r.shares - sum(_r.share) OVER _down AS shares_below
    FROM (
        SELECT
            _l.*,
            _j.rank,
            _j.hits,
            _j.hits + _j.false_positives AS judged_above,
            coalesce(_j.share, 0e0) AS share
        FROM _lists AS _l
        INNER JOIN _judged AS _j ON _l.run_id = _j.run_id AND _l.query_id = _j.query_id
        WHERE _j.rank IS NOT NULL AND _j.relevance >= 0
        UNION ALL
        SELECT
            _l.*,
            0 AS rank,
            0 AS hits,
            0 AS judged_above,
            0e0 AS share
        FROM _lists AS _l
    ) AS _r
    WINDOW _down AS (PARTITION BY _r.run_id, _r.query_id ORDER BY _r.rank ASC)
), _unjudged AS (
    SELECT
        _p.*,
        _p.place - _p.judged_above AS unjudged_above,
        -- of it and of those unjudged above: the precision at it, and what it adds to those of judged documents below
        1e0 * (_p.hits + _p.place - _p.judged_above) / _p.place + _p.shares_below AS added
    FROM gap_ranks(_gaps, run) AS _p
), _rows AS (
    SELECT
        _j.run_id,
        _j.query_id,
        _j.rank,
        _j.grade,
        _j.relevant,
        _l.num_rel,
        CAST(NULL AS BIGINT) AS unjudged_above,
        CAST(NULL AS BIGINT) AS unjudged_below,
        _l.precisions,
        CAST(NULL AS DOUBLE) AS first_precisions,
        CAST(NULL AS DOUBLE) AS last_precisions
    FROM _judged AS _j
    INNER JOIN _lists AS _l ON _j.run_id = _l.run_id AND _j.query_id = _l.query_id
    WHERE _j.relevance >= 0
    UNION ALL
    SELECT
        _u.run_id,
        _u.query_id,
        _u.place AS rank,
        NULL AS grade,
        NULL AS relevant,
        _u.num_rel,
        _u.unjudged_above,
        _u.num_ret - _u.num_judged - _u.unjudged_above + 1 AS unjudged_below,
        _u.precisions,
        _u.precisions + sum(_u.added) OVER _down AS first_precisions,
        -- those unjudged above are not relevant, so they do not add to the precisions here
        _u.precisions + sum(_u.added) OVER _up
        - (_u.unjudged_above - 1) * sum(1e0 / _u.place) OVER _up AS last_precisions
    FROM _unjudged AS _u
    WINDOW
        _down AS (
            PARTITION BY _u.run_id, _u.query_id ORDER BY _u.place ASC ROWS UNBOUNDED PRECEDING
        ),
        _up AS (
            PARTITION BY _u.run_id, _u.query_id
            ORDER BY _u.place ASC
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        )
)
SELECT
    _r.*,
    _t.top_grade,
    CASE WHEN _t.top_relevance >= rel THEN 1 ELSE 0 END AS top_relevant
FROM _rows AS _r
CROSS JOIN (
    SELECT
        _h.top_relevance,
        greatest(
            mapped_gain(_h.top_relevance, gains),
            coalesce(max(CASE WHEN _j.relevance <= _h.top_relevance THEN _j.grade END), 0e0)
        ) AS top_grade
    FROM _judged AS _j
    CROSS JOIN (
        SELECT coalesce(max_rel, max(CASE WHEN _g.relevance > 0 THEN _g.relevance END), 1e0) AS top_relevance
        FROM _judged AS _g
    ) AS _h
    GROUP BY _h.top_relevance
) AS _t;
