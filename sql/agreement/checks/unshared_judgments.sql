-- Judges who have judged no document in common.
-- severity: error
-- says: the two judges have no document of the same query in common; the first judged {doc_id} for query {query_id}
-- remedy: use the same ids in both
-- first, second: as for agreed
CREATE OR REPLACE MACRO unshared_judgments(first, second) AS TABLE
SELECT
    _a.query_id,
    _a.doc_id
FROM judgments(first) AS _a
WHERE NOT EXISTS (
    SELECT 1
    FROM judgments(first) AS _f
    INNER JOIN judgments(second) AS _s ON _f.query_id = _s.query_id AND _f.doc_id = _s.doc_id
)
ORDER BY _a.query_id ASC, _a.doc_id ASC
LIMIT 1;
