-- The values of each item: those that a cell has between bars, one row each.
-- listed: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO split_values(listed) AS TABLE
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') COLLATE C AS value
FROM (
    SELECT
        _l.doc_id,
        unnest(string_split(coalesce(CAST(_l.value AS VARCHAR), ''), '|')) AS value
    FROM query_table(listed) AS _l
) AS _v;
