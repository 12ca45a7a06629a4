-- The neighbours that are listed for each query, with their distances.
-- neighbours: table or file with the columns query_id, doc_id, distance and, optionally, run_id and rank
-- returns distance: NULL if it is not a number
-- returns given_distance: the value in the table, as text
-- returns listed_rank: the rank column, if there is one
CREATE OR REPLACE MACRO neighbour_lists(neighbours) AS TABLE
SELECT
    coalesce(CAST(_n.run_id AS VARCHAR), CASE WHEN is_missing(_n.run_id) THEN 'run' END) COLLATE C AS run_id,
    CAST(require_column('neighbours', 'query_id', _n.query_id, _n._columns) AS VARCHAR) COLLATE C AS query_id,
    CAST(require_column('neighbours', 'doc_id', _n.doc_id, _n._columns) AS VARCHAR) COLLATE C AS doc_id,
    TRY_CAST(require_column('neighbours', 'distance', _n.distance, _n._columns) AS DOUBLE) AS distance,
    CAST(_n.distance AS VARCHAR) AS given_distance,
    TRY_CAST(_n.rank AS DOUBLE) AS listed_rank
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(neighbours) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS run_id,
        NULL AS query_id,
        NULL AS doc_id,
        NULL AS distance,
        NULL AS rank
    WHERE FALSE
) AS _n;
