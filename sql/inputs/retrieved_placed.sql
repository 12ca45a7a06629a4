-- The retrieved documents with their place in the input, which is counted only where ties need it.
-- run: retrieved documents, as for judged
-- ties: order of documents of the same score, as for judged
-- input_place: which row of the input the document is, where ties = 'input'
CREATE OR REPLACE MACRO retrieved_placed(run, ties) AS TABLE
SELECT
    _d.*,
    CAST(NULL AS BIGINT) AS input_place
FROM retrieved(run) AS _d
WHERE ties <> 'input'
UNION ALL
SELECT _n.*
FROM (
    SELECT
        _d.*,
        row_number() OVER () AS input_place
    FROM retrieved(run) AS _d
) AS _n
WHERE ties = 'input';
