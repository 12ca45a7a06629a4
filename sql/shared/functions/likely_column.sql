-- The column that other tools give the meaning of one of ours, as query AS query_id, or NULL if none is known.
-- columns: the names of the table's columns
-- name: what we call the column
CREATE OR REPLACE MACRO likely_column(columns, name) AS
    list_transform(
        list_transform(
            flatten(list_transform(
                string_split(array_to_string(names_elsewhere()[name], ' '), ' '),
                LAMBDA _known: list_filter(
                    columns, LAMBDA _column: regexp_replace(lower(_column), '[-_ ]', '', 'g') GLOB _known
                )
            ))[:1],
            LAMBDA _found: CASE
                WHEN regexp_full_match(_found, '\w+') THEN _found ELSE concat('"', replace(_found, '"', '""'), '"')
            END
        ),
        LAMBDA _quoted: concat(_quoted, ' AS ', name)
    )[1];
