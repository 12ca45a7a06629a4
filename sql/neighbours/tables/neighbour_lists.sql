-- The neighbours that are listed for each query, with their distances; without an id of -1 at an endless distance,
--     which an index gives where it found nothing.
-- neighbours: table or file with the columns query_id, doc_id, distance and, optionally, run_id and rank
-- returns distance: NULL if it is not a number
-- returns given_distance: the value in the table, as text
-- returns listed_rank: the rank column, if there is one
-- needs: query_id, doc_id, distance
CREATE OR REPLACE MACRO neighbour_lists(neighbours) AS TABLE
SELECT
    text_or(_n.run_id, 'run') AS run_id,
    CAST(_n.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_n.doc_id AS VARCHAR) COLLATE C AS doc_id,
    number_or_null(_n.distance) AS distance,
    CAST(_n.distance AS VARCHAR) AS given_distance,
    TRY_CAST(_n.rank AS DOUBLE) AS listed_rank
FROM with_columns(
    neighbours, {
        'run_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'distance': NULL, 'rank': NULL
    }
) AS _n
WHERE
    CASE
        WHEN coalesce(CAST(_n.doc_id AS VARCHAR), '') <> '-1' THEN 1
        WHEN coalesce(abs(TRY_CAST(_n.distance AS DOUBLE)), 3.4e38) >= 3.4e38 THEN 0
        ELSE 1
    END = 1;
