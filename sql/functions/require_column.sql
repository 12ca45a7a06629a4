-- A column of a user's table or, if it is missing, an error that lists the columns.
-- input: the table: qrels, run, scores, …
-- name: name of the column
-- value: the column
-- others: names of the table's columns
CREATE OR REPLACE MACRO require_column(input, name, value, others) AS
    CASE
        WHEN is_missing(value) THEN error(concat(
            input, ': no column ', name, '; the columns are ', array_to_string(others, ', '),
            CASE
                WHEN list_contains(others, CASE input WHEN 'run' THEN 'relevance' WHEN 'qrels' THEN 'score' END)
                    THEN '. Judgments come first, then the run'
                WHEN input = 'scores' AND name = 'score'
                    THEN concat(
                        '. If each metric has a column, UNPIVOT scores ON COLUMNS(* EXCLUDE (run_id, query_id)) ',
                        'INTO NAME metric VALUE score'
                    )
                WHEN input = 'run' AND name = 'score'
                    THEN concat(
                        '. Rename one in a view or a WITH query: SELECT … AS score; ',
                        'or AS distance, if the smallest is the best'
                    )
                ELSE concat('. Rename one in a view or a WITH query: SELECT … AS ', name)
            END
        ))
        ELSE value
    END;
