-- The judgments next to every run, with the rank that the run gave each document.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
-- returns run_id, query_id, doc_id: one row per run and judgment
-- returns relevance: the judgment
-- returns rank: 1, 2, … by score descending, tied documents in the order of ties; NULL if not retrieved
-- returns first_rank, num_tied: first rank of the documents with this score, and their number
-- returns num_ret: documents retrieved for the query, judged or not
CREATE OR REPLACE MACRO ranked(qrels, run, ties VARCHAR := 'descending') AS TABLE
WITH _judgments AS MATERIALIZED (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance,
        row_number() OVER () AS judgment
    FROM judgments(qrels) AS _q
),
_lists AS (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret,
        -- rows are sorted by numbers, in half the time that the ids take
        CAST(row_number() OVER (ORDER BY _d.run_id ASC, _d.query_id ASC) AS INTEGER) AS list
    FROM retrieved(run) AS _d
    GROUP BY _d.run_id, _d.query_id
),
_found AS (
    SELECT _s.*
    FROM (
        SELECT
            _l.list,
            _q.judgment,
            _d.score,
            rank() OVER (
                PARTITION BY _l.list
                ORDER BY _d.score DESC NULLS LAST
            ) AS first_rank,
            count(*) OVER (
                PARTITION BY _l.list
                ORDER BY _d.score DESC NULLS LAST
                RANGE BETWEEN CURRENT ROW AND CURRENT ROW
            ) AS num_tied
        FROM retrieved(run) AS _d
        INNER JOIN _lists AS _l
            ON _d.run_id = _l.run_id AND _d.query_id = _l.query_id
        LEFT JOIN _judgments AS _q
            ON _d.query_id = _q.query_id AND _d.doc_id = _q.doc_id
    ) AS _s
    WHERE _s.judgment IS NOT NULL
),
-- only where a judged document shares its score are ids compared
_tied AS (
    SELECT
        _t.list,
        _o.doc_id,
        row_number() OVER (
            PARTITION BY _t.list, _o.score
            ORDER BY _o.id_order ASC NULLS LAST, _o.tie_order ASC NULLS LAST, _o.doc_id DESC NULLS LAST
        ) AS place
    FROM retrieved_ordered(qrels, run, ties) AS _o
    INNER JOIN (
        SELECT DISTINCT
            _l.*,
            _f.score
        FROM _found AS _f
        INNER JOIN _lists AS _l
            ON _f.list = _l.list
        WHERE _f.num_tied > 1
    ) AS _t
        ON _o.run_id = _t.run_id AND _o.query_id = _t.query_id AND _o.score = _t.score
)
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _f.first_rank + coalesce(_t.place, 1) - 1 AS rank,
    _f.first_rank,
    _f.num_tied,
    coalesce(_l.num_ret, 0) AS num_ret
FROM _judgments AS _q
-- of DISTINCT rows, DuckDB expects as many as there are lists, and would cut the windows over these into small parts
CROSS JOIN (SELECT unnest(list(DISTINCT _n.run_id)) AS run_id FROM _lists AS _n) AS _u
LEFT JOIN _lists AS _l
    ON _u.run_id = _l.run_id AND _q.query_id = _l.query_id
LEFT JOIN _found AS _f
    ON _l.list = _f.list AND _q.judgment = _f.judgment
LEFT JOIN _tied AS _t
    ON _l.list = _t.list AND _q.doc_id = _t.doc_id;
