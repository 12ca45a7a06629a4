-- Judges who have judged no document in common; a relevance below 0 means not judged.
-- severity: error
-- remedy: use the same ids in both, and a relevance of 0 or more for what is judged
-- first, second: as for agreed
CREATE OR REPLACE MACRO unshared_judgments(first, second) AS TABLE
SELECT
    _a.query_id,
    _a.doc_id,
    concat(
        'the two judges have no document of the same query in common; the first ',
        CASE WHEN _a.relevance >= 0 THEN 'judged ' ELSE 'has only relevances below 0, such as that of ' END,
        _a.doc_id, ' for query ', _a.query_id
    ) AS problem
FROM judgments(first) AS _a
WHERE NOT EXISTS (
    SELECT 1
    FROM judgments(first) AS _f
    INNER JOIN judgments(second) AS _s ON _f.query_id = _s.query_id AND _f.doc_id = _s.doc_id
    WHERE _f.relevance >= 0 AND _s.relevance >= 0
)
ORDER BY _a.relevance >= 0 DESC, _a.query_id ASC, _a.doc_id ASC
LIMIT 1;
