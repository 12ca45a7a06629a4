-- What is wrong with a user's table before its rows are read, if anything is.
-- given: table or file
-- input: what it is called: qrels, run, scores, …
-- needed: the names of the columns that it must have, one of several as 'score or rank'
-- empty: the message if it has no rows, or NULL if it may have none
-- returns problem: the columns that it lacks, those that are there, and what to do
CREATE OR REPLACE MACRO table_problem(given, input, needed, empty) AS TABLE
SELECT
    CASE
        WHEN _m.columns IS NULL THEN empty
        ELSE concat(
            input, ': no column ', array_to_string(_m.names, ' and no column '),
            '; the columns are ', array_to_string(_m.columns, ', '),
            CASE
                WHEN list_contains(_m.columns, CASE input WHEN 'run' THEN 'relevance' WHEN 'qrels' THEN 'score' END)
                    THEN '. Judgments come first, then the run'
                WHEN input = 'scores' AND _m.names = ['score']
                    THEN concat(
                        '. If each metric has a column, UNPIVOT scores ON COLUMNS(* EXCLUDE (run_id, query_id)) ',
                        'INTO NAME metric VALUE score'
                    )
                WHEN input = 'run' AND _m.names = ['score'] AND list_contains(_m.named, '… AS score')
                    THEN concat(
                        '. Rename one in a view or a WITH query: SELECT … AS score; ',
                        'or AS rank or AS distance, if the smallest is the best'
                    )
                ELSE concat(
                    '. Rename ', CASE WHEN len(_m.names) > 1 THEN 'them' ELSE 'one' END,
                    ' in a view or a WITH query: SELECT ', array_to_string(_m.named, ', ')
                )
            END
        )
    END AS problem
FROM (
    SELECT
        _l.columns,
        list_transform(_l.lacking, LAMBDA _names: _names[1]) AS names,
        list_filter(
            list_transform(
                -- a run_id is not needed, but keeps several systems apart
                list_concat(_l.needs, CASE WHEN input = 'run' THEN [['run_id']] ELSE [] END),
                LAMBDA _names: coalesce(
                    list_intersect(_names, _l.spelled)[1],
                    list_any_value(list_transform(_names, LAMBDA _name: likely_column(_l.columns, _name))),
                    '… AS ' || CASE WHEN input <> 'run' OR _names[1] <> 'run_id' THEN _names[1] END
                )
            ),
            LAMBDA _column: _column IS NOT NULL
        ) AS named
    FROM (
        SELECT
            _c.columns,
            _c.spelled,
            _c.needs,
            list_filter(_c.needs, LAMBDA _names: NOT list_has_any(_c.spelled, _names)) AS lacking
        FROM (
            SELECT
                any_value(struct_keys(_t)) AS columns,
                list_transform(any_value(struct_keys(_t)), LAMBDA _column: lower(_column)) AS spelled,
                list_transform(needed, LAMBDA _need: string_split(_need, ' or ')) AS needs
            FROM (SELECT * FROM query_table(given) LIMIT 1) AS _t -- noqa: AM09
        ) AS _c
    ) AS _l
) AS _m
WHERE len(_m.names) > 0 OR (_m.columns IS NULL AND empty IS NOT NULL);
