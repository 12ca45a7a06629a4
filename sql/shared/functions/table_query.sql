-- The query that reads what a user names: a table or a file, or several in a list.
-- tables: such as 'qrels', 'lab.qrels', '../runs/bm25.csv', ['bm25', 'neural']
CREATE OR REPLACE MACRO table_query(tables) AS
    list_aggregate(
        list_transform(
            CASE
                WHEN typeof(tables) = 'VARCHAR' THEN [CAST(tables AS VARCHAR)]
                ELSE coalesce(nullif(TRY_CAST(tables AS VARCHAR[]), []), [NULL])
            END,
            LAMBDA _name: 'FROM ' || coalesce(
                CASE
                    -- one to three parts: a table or, if there is none, a file
                    WHEN regexp_full_match(_name, '("([^"]|"")+"|[^"./\\]+)([.]("([^"]|"")+"|[^"./\\]+)){0,2}')
                        THEN regexp_replace(_name, '"((?:[^"]|"")+)"|([^".]+)', '"\1\2"', 'g')
                    -- a path, which query_table of DuckDB 1.5 would cut at its dots
                    ELSE '"' || replace(_name, '"', '""') || '"'
                END,
                error('no table is named; give the name of a table or a file, or a list of names')
            )
        ),
        'string_agg',
        ' UNION ALL '
    );
