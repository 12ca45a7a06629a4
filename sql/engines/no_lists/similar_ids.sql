-- Ids that differ from a judged id only in case, leading zeros, a trailing .0 or whitespace, without regular expressions.
--     Most engines cannot compare Unicode forms.
-- qrels, run: as for the other file of this name
CREATE OR REPLACE MACRO similar_ids(qrels, run) AS TABLE
WITH _ids AS (
    SELECT
        'query_id' AS kind,
        _q.query_id AS id,
        1 AS is_judged
    FROM judgments(qrels) AS _q
    UNION ALL
    SELECT
        'doc_id' AS kind,
        _q.doc_id AS id,
        1 AS is_judged
    FROM judgments(qrels) AS _q
    UNION ALL
    SELECT
        'query_id' AS kind,
        _d.query_id AS id,
        0 AS is_judged
    FROM retrieved(run) AS _d
    UNION ALL
    SELECT
        'doc_id' AS kind,
        _d.doc_id AS id,
        0 AS is_judged
    FROM retrieved(run) AS _d
), _trimmed AS (
    SELECT
        _i.kind,
        _i.id,
        max(_i.is_judged) AS is_judged,
        lower(trim(_i.id, whitespace())) AS folded
    FROM _ids AS _i
    WHERE _i.id IS NOT NULL
    GROUP BY _i.kind, _i.id
), _whole AS (
    SELECT
        _t.kind,
        _t.id,
        _t.is_judged,
        -- .0, .00, …
        CASE
            WHEN rtrim(_t.folded, '0') LIKE '%.' AND _t.folded LIKE '%0'
                THEN substring(rtrim(_t.folded, '0'), 1, length(rtrim(_t.folded, '0')) - 1)
            ELSE _t.folded
        END AS folded
    FROM _trimmed AS _t
), _folded AS (
    SELECT
        _w.kind,
        _w.id,
        _w.is_judged,
        -- zeros before a digit, so that the last of 000 stays
        CASE
            WHEN substring(ltrim(_w.folded, '0'), 1, 1) BETWEEN '0' AND '9' THEN ltrim(_w.folded, '0')
            WHEN _w.folded LIKE '0%' THEN concat('0', ltrim(_w.folded, '0'))
            ELSE _w.folded
        END AS folded
    FROM _whole AS _w
)
SELECT
    _j.kind,
    _j.id AS judged_id,
    _o.id AS other_id,
    concat(_j.kind, ' ''', _o.id, ''' does not match the judged ''', _j.id, '''') AS problem
FROM _folded AS _j
INNER JOIN _folded AS _o ON _j.kind = _o.kind AND _j.folded = _o.folded AND _j.id <> _o.id
WHERE _j.is_judged = 1;
