-- A column of a user's table or, if it is missing, an error that lists the columns.
-- input: qrels or run
-- name: name of the column
-- value: the column
-- others: names of the table's columns
CREATE OR REPLACE MACRO require_column(input, name, value, others) AS
    CASE
        WHEN is_missing(value) THEN error(concat(
            input, ': no column ', name, '; the columns are ', array_to_string(others, ', '),
            CASE
                WHEN list_contains(others, CASE input WHEN 'run' THEN 'relevance' ELSE 'score' END)
                    THEN '. Judgments come first, then the run'
                ELSE concat('. Rename one in a view or a WITH query: SELECT … AS ', name)
            END
        ))
        ELSE value
    END;
