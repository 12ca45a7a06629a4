-- Scores written as text that are too small for a number: they count as 0, and tie. Give their logarithms.
-- severity: warning
-- noted: it may turn a result around
-- values: as given
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO vanished_scores(run) AS TABLE
SELECT
    text_or(_r.run_id, 'run') AS run_id,
    CAST(_r.query_id AS VARCHAR) AS query_id,
    CAST(_r.doc_id AS VARCHAR) AS doc_id,
    CAST(_r.score AS VARCHAR) AS score,
    concat('the score ', _r.score, ' is too small for a number, as others may be; give logarithms') AS problem
FROM with_columns(run, { 'run_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'score': NULL }) AS _r
WHERE
    TRY_CAST(_r.score AS DOUBLE) = 0
    -- a digit other than 0 before the exponent
    AND trim(
        substring(
            CAST(_r.score AS VARCHAR), 1, strpos(concat(lower(CAST(_r.score AS VARCHAR)), 'e'), 'e') - 1
        ),
        concat('+-.0', whitespace())
    ) <> '';
