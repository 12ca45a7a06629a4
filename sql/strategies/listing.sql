-- Sorts only the scores of each list, and ids only where scores are tied: for short lists with many judgments. Returns
--     the same rows as sorting.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
CREATE OR REPLACE MACRO ranked(qrels, run, ties := 'descending') AS TABLE
WITH _lists AS (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret,
        list_sort(list(_d.score), 'DESC', 'NULLS LAST') AS scores,
        list(struct_pack(doc_id := _d.doc_id, score := _d.score)) FILTER (WHERE _q.doc_id IS NOT NULL) AS documents
    FROM retrieved(run) AS _d
    LEFT JOIN judgments(qrels) AS _q ON _d.query_id = _q.query_id AND _d.doc_id = _q.doc_id
    GROUP BY _d.run_id, _d.query_id
),
_found AS (
    -- before the lists are unnested: a row per document would copy the scores
    SELECT
        _p.run_id,
        _p.query_id,
        unnest(_p.places) AS document
    FROM (
        SELECT
            _l.run_id,
            _l.query_id,
            list_transform(_l.documents, lambda _d: struct_pack(
                doc_id := _d.doc_id,
                score := _d.score,
                first_rank := list_position(_l.scores, _d.score),
                next_score := _l.scores[list_position(_l.scores, _d.score) + 1]
            )) AS places
        FROM _lists AS _l
    ) AS _p
),
_tied AS (
    SELECT _o.*
    FROM retrieved_ordered(qrels, run, ties) AS _o
    INNER JOIN (
        SELECT DISTINCT
            _f.run_id,
            _f.query_id,
            _f.document.score
        FROM _found AS _f
        WHERE _f.document.next_score = _f.document.score
    ) AS _s
        ON _o.run_id = _s.run_id AND _o.query_id = _s.query_id AND _o.score = _s.score
)
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    CAST(_f.document.first_rank + coalesce(_m.place, 1) - 1 AS BIGINT) AS rank,
    CAST(_f.document.first_rank AS BIGINT) AS first_rank,
    CASE WHEN _f.document.first_rank IS NOT NULL THEN coalesce(_m.num_tied, 1) END AS num_tied,
    coalesce(_l.num_ret, 0) AS num_ret
FROM judgments(qrels) AS _q
CROSS JOIN (SELECT DISTINCT _r.run_id FROM _lists AS _r) AS _u
LEFT JOIN _lists AS _l
    ON _u.run_id = _l.run_id AND _q.query_id = _l.query_id
LEFT JOIN _found AS _f
    ON _u.run_id = _f.run_id AND _q.query_id = _f.query_id AND _q.doc_id = _f.document.doc_id
LEFT JOIN tied_places(_tied) AS _m
    ON _f.run_id = _m.run_id AND _f.query_id = _m.query_id AND _f.document.doc_id = _m.doc_id;
