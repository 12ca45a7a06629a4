-- Passages that the mapping has more than once, or without a document.
-- severity: error
-- remedy: the mapping needs one row for each passage
-- mapping: as for passages
-- returns times: how many rows there are
CREATE OR REPLACE MACRO repeated_passages(mapping) AS TABLE
SELECT
    _m.passage_id,
    count(*) AS times,
    CASE
        WHEN count(_m.doc_id) < count(*) THEN concat('passage ', _m.passage_id, ' has no doc_id')
        ELSE concat('passage ', _m.passage_id, ' is mapped ', count(*), ' times')
    END AS problem
FROM read_passages(mapping) AS _m
GROUP BY _m.passage_id
HAVING count(*) > 1 OR count(_m.doc_id) < count(*);
