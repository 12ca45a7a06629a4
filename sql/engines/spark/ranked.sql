-- The judgments next to every run, with the rank that the run gave each document. The run is shuffled only
--     once, by query.
-- qrels, run, ties: as for the other file of this name, which returns the same rows
-- returns retrieved: 1 for rows of the run, which come first; 0 for judgments
CREATE OR REPLACE MACRO ranked(qrels, run, ties := 'descending') AS TABLE
SELECT
    _p.run_id,
    _p.query_id,
    _p.doc_id,
    max(_p.relevance) AS relevance,
    max(CASE WHEN _p.retrieved = 1 THEN _p.place END) AS rank,
    max(CASE WHEN _p.retrieved = 1 THEN _p.first_place END) AS first_rank,
    max(CASE WHEN _p.retrieved = 1 THEN _p.num_tied END) AS num_tied,
    max(_p.num_ret) AS num_ret
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        _d.relevance,
        _d.retrieved,
        row_number() OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY
                _d.retrieved DESC NULLS LAST,
                _d.score DESC NULLS LAST,
                _d.id_order ASC NULLS LAST,
                _d.tie_order ASC NULLS LAST,
                _d.doc_id DESC NULLS LAST
        ) AS place,
        rank() OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.retrieved DESC NULLS LAST, _d.score DESC NULLS LAST
        ) AS first_place,
        count(*) OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.retrieved DESC NULLS LAST, _d.score DESC NULLS LAST
            RANGE BETWEEN CURRENT ROW AND CURRENT ROW
        ) AS num_tied,
        count(CASE WHEN _d.retrieved = 1 THEN 1 END) OVER (PARTITION BY _d.run_id, _d.query_id) AS num_ret
    FROM (
        SELECT
            _o.run_id,
            _o.query_id,
            _o.doc_id,
            _o.score,
            _o.id_order,
            _o.tie_order,
            CAST(NULL AS DOUBLE) AS relevance,
            1 AS retrieved
        FROM retrieved_ordered(qrels, run, ties) AS _o
        UNION ALL
        SELECT
            _u.run_id,
            _q.query_id,
            _q.doc_id,
            CAST(NULL AS DOUBLE) AS score,
            CAST(NULL AS VARCHAR) AS id_order,
            CAST(NULL AS DOUBLE) AS tie_order,
            _q.relevance,
            0 AS retrieved
        FROM judgments(qrels) AS _q
        CROSS JOIN (SELECT DISTINCT _r.run_id FROM retrieved(run) AS _r) AS _u
    ) AS _d
) AS _p
GROUP BY _p.run_id, _p.query_id, _p.doc_id
HAVING
    CASE
        WHEN count(CASE WHEN _p.retrieved = 1 THEN 1 END) > 1
            THEN error(concat('document ', _p.doc_id, ' appears more than once for query ', _p.query_id))
        WHEN count(CASE WHEN _p.retrieved = 0 THEN 1 END) > 1
            THEN error(concat('document ', _p.doc_id, ' is judged more than once for query ', _p.query_id))
        ELSE max(CASE WHEN _p.retrieved = 0 THEN 1 END)
    END = 1;
