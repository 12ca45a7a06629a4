-- Retrieved documents with whitespace before or after an id; they match only ids with the same whitespace.
-- severity: warning
-- noted: it may turn a result around
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO padded_documents(run) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    concat(
        'document ''', _d.doc_id, ''' of query ''', _d.query_id, '''', ' in run ' || nullif(_d.run_id, 'run')
    ) AS problem
FROM retrieved(run) AS _d
WHERE is_padded(_d.query_id) OR is_padded(_d.doc_id);
