-- The judgments next to every run, with the rank that the run gave each document.
-- qrels, run, ties: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO ranked(qrels, run, ties VARCHAR := 'descending') AS TABLE
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _r.rank,
    _r.first_rank,
    _r.num_tied,
    coalesce(_n.num_ret, 0) AS num_ret
FROM judgments(qrels) AS _q
CROSS JOIN (SELECT DISTINCT _d.run_id FROM retrieved(run) AS _d) AS _u
LEFT JOIN (
    SELECT
        _o.run_id,
        _o.query_id,
        _o.doc_id,
        row_number() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY
                _o.score DESC NULLS LAST,
                _o.id_order ASC NULLS LAST,
                _o.tie_order ASC NULLS LAST,
                _o.doc_id DESC NULLS LAST
        ) AS rank,
        rank() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC NULLS LAST
        ) AS first_rank,
        count(*) OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC NULLS LAST
            RANGE BETWEEN CURRENT ROW AND CURRENT ROW
        ) AS num_tied
    FROM retrieved_ordered(qrels, run, ties) AS _o
) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
LEFT JOIN (
    SELECT _d.run_id, _d.query_id, count(*) AS num_ret
    FROM retrieved(run) AS _d
    GROUP BY _d.run_id, _d.query_id
) AS _n
    ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id;
