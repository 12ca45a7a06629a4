-- The scores of queries, ids as text and scores as numbers.
-- scores: table or file with the columns query_id, score, run_id and, if it holds several metrics, metric; segment, if
--     queries are compared in segments
-- returns run_id, metric, query_id: one row each; without a column metric, it is called 'score'
-- returns segment: as it is, or NULL
-- returns score: NULL if it is not a number
-- returns given_score: the value in the table, as text
CREATE OR REPLACE MACRO scored(scores) AS TABLE
SELECT
    CAST(require_column('scores', 'run_id', _s.run_id, _s._columns) AS VARCHAR) COLLATE C AS run_id,
    coalesce(CAST(_s.metric AS VARCHAR), CASE WHEN is_missing(_s.metric) THEN 'score' END) COLLATE C AS metric,
    _s.segment,
    CAST(require_column('scores', 'query_id', _s.query_id, _s._columns) AS VARCHAR) COLLATE C AS query_id,
    TRY_CAST(require_column('scores', 'score', _s.score, _s._columns) AS DOUBLE) AS score,
    CAST(_s.score AS VARCHAR) AS given_score
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(scores) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS run_id,
        NULL AS metric,
        NULL AS segment,
        NULL AS query_id,
        NULL AS score
    WHERE FALSE
) AS _s;
