-- Scores written as text that are too small for a number, which PostgreSQL refuses to read: by their exponents.
-- run: as for the other file of this name
CREATE OR REPLACE MACRO vanished_scores(run) AS TABLE
SELECT
    _s.run_id,
    _s.query_id,
    _s.doc_id,
    _s.score,
    concat('the score ', _s.score, ' is too small for a number, as others may be; give logarithms') AS problem
FROM (
    SELECT
        text_or(_r.run_id, 'run') AS run_id,
        CAST(_r.query_id AS VARCHAR) AS query_id,
        CAST(_r.doc_id AS VARCHAR) AS doc_id,
        CAST(_r.score AS VARCHAR) AS score,
        strpos(lower(CAST(_r.score AS VARCHAR)), 'e-') AS place
    FROM with_columns(run, { 'run_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'score': NULL }) AS _r
) AS _s
WHERE
    -- the logarithm of half of the smallest number
    CASE
        WHEN _s.place > 0
            THEN ln(nullif(abs(CAST(substring(_s.score, 1, _s.place - 1) AS DOUBLE)), 0e0)) / ln(1e1)
            + CAST(substring(_s.score, _s.place + 1) AS BIGINT)
    END < -323.6e0;
