-- The values of each item: those that a cell has between bars, or in a list, one row each.
-- listed: table with the columns doc_id and value
-- returns doc_id, value: as text; value is NULL where there is none, or only whitespace
CREATE OR REPLACE MACRO split_values(listed) AS TABLE
SELECT
    _l.doc_id,
    nullif(trim(unnest(string_split(
        -- a list, also as text, such as ['a', 'b']
        coalesce(array_to_string(TRY_CAST(_l.value AS VARCHAR[]), '|'), CAST(_l.value AS VARCHAR), ''), '|'
    ))), '') COLLATE C AS value
FROM query_table(listed) AS _l;
