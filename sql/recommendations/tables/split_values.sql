-- The values of each item: those that a cell has between bars, or in a list, one row each.
-- listed: table with the columns doc_id and value
-- returns doc_id, value: as text; value is NULL where there is none, or only whitespace
CREATE OR REPLACE MACRO split_values(listed) AS TABLE
SELECT
    _l.doc_id,
    nullif(trim(unnest(string_split(
        CASE
            -- a list, also as text, such as ['a', 'b']
            WHEN starts_with(CAST(_l.value AS VARCHAR), '[')
                THEN coalesce(array_to_string(TRY_CAST(_l.value AS VARCHAR[]), '|'), CAST(_l.value AS VARCHAR))
            ELSE coalesce(CAST(_l.value AS VARCHAR), '')
        END, '|'
    ))), '') COLLATE C AS value
FROM query_table(listed) AS _l;
