-- The documents that two judges have judged, without lists: a row for each, with both judgments.
-- first, second: as for the other file of this name, which has two columns more
CREATE OR REPLACE MACRO agreed(first, second) AS TABLE
SELECT
    _a.query_id,
    _a.doc_id,
    _a.relevance AS a,
    _b.relevance AS b,
    1 AS times,
    power_of_2(max(greatest(_a.relevance, _b.relevance)) OVER ()) AS scale
FROM judgments(first) AS _a
INNER JOIN judgments(second) AS _b ON _a.query_id = _b.query_id AND _a.doc_id = _b.doc_id
WHERE _a.relevance >= 0 AND _b.relevance >= 0;
