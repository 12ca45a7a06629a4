-- Ids that differ from a judged id only in case, leading zeros, a trailing .0, whitespace or Unicode form; they do not
--     match.
-- severity: warning
-- noted: it may turn a result around
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO similar_ids(qrels, run) AS TABLE
SELECT
    _j.kind,
    _j.id AS judged_id,
    _o.id AS other_id,
    concat(_j.kind, ' ''', _o.id, ''' does not match the judged ''', _j.id, '''') AS problem
FROM (
    SELECT DISTINCT 'query_id' AS kind, _q.query_id AS id FROM judgments(qrels) AS _q
    UNION ALL
    SELECT DISTINCT 'doc_id' AS kind, _q.doc_id AS id FROM judgments(qrels) AS _q
) AS _j
INNER JOIN (
    SELECT DISTINCT 'query_id' AS kind, _d.query_id AS id FROM retrieved(run) AS _d
    UNION
    SELECT DISTINCT 'doc_id' AS kind, _d.doc_id AS id FROM retrieved(run) AS _d
    UNION
    SELECT DISTINCT 'query_id' AS kind, _q.query_id AS id FROM judgments(qrels) AS _q
    UNION
    SELECT DISTINCT 'doc_id' AS kind, _q.doc_id AS id FROM judgments(qrels) AS _q
) AS _o
    ON _j.kind = _o.kind AND fold_id(_j.id) = fold_id(_o.id) AND _j.id <> _o.id;
