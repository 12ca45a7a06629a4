-- A column of a table that users name; an error, which lists the columns there are, where it is missing.
-- input: qrels or run
-- name: name of the column
-- value: the column
-- others: names of the columns that the table has
CREATE OR REPLACE MACRO require_column(input, name, value, others) AS
    CASE
        WHEN is_missing(value) THEN error(concat(
            input, ': no column ', name, '; the columns are ', array_to_string(others, ', '),
            CASE
                WHEN list_contains(others, CASE input WHEN 'run' THEN 'relevance' ELSE 'score' END)
                    THEN '. The judgments come first, then the run'
                ELSE concat('. Rename one in a view or a WITH query: SELECT … AS ', name)
            END
        ))
        ELSE value
    END;
