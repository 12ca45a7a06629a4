-- Confidences by which queries cannot be ordered: they are not numbers, or a query has several.
-- severity: error
-- remedy: each query of a run needs one row, with a number as confidence
-- confidences: as for abstained
CREATE OR REPLACE MACRO unusable_confidences(confidences) AS TABLE
SELECT
    CAST(_c.run_id AS VARCHAR) AS run_id,
    CAST(_c.query_id AS VARCHAR) AS query_id,
    CASE
        WHEN count(*) > 1 THEN concat('query ', _c.query_id, ' of run ', _c.run_id, ' has ', count(*), ' confidences')
        ELSE concat('query ', _c.query_id, ' of run ', _c.run_id, ' has no number as confidence')
    END AS problem
FROM query_table(confidences) AS _c
GROUP BY _c.run_id, _c.query_id
HAVING count(*) > 1 OR count(CASE WHEN isfinite(TRY_CAST(_c.confidence AS DOUBLE)) THEN 1 END) = 0;
