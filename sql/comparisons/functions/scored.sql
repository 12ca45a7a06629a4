-- The scores of queries, ids as text and scores as numbers.
-- scores: table or file with the columns query_id, score, run_id and, if it holds several metrics, metric; segment, if
--     queries are compared in segments
-- returns run_id, metric, query_id: one row each; without a column metric, it is called 'score'
-- returns segment: as it is, or NULL
-- returns score: NULL if it is not a number
-- returns given_score: the value in the table, as text
-- returns weight, lowest, highest: numbers, or NULL
-- needs: run_id, query_id, score
CREATE OR REPLACE MACRO scored(scores) AS TABLE
SELECT
    CAST(_s.run_id AS VARCHAR) COLLATE C AS run_id,
    text_or(_s.metric, 'score') AS metric,
    _s.segment,
    CAST(_s.query_id AS VARCHAR) COLLATE C AS query_id,
    number_or_null(_s.score) AS score,
    CAST(_s.score AS VARCHAR) AS given_score,
    CAST(_s.weight AS DOUBLE) AS weight,
    CAST(_s.lowest AS DOUBLE) AS lowest,
    CAST(_s.highest AS DOUBLE) AS highest
FROM with_columns(
    scores, {
        'run_id': NULL, 'metric': NULL, 'segment': NULL, 'query_id': NULL, 'score': NULL, 'weight': NULL,
        'lowest': NULL, 'highest': NULL
    }
) AS _s;
