-- The documents that a click log says were shown, one row each, and the pages that had none.
-- log: as for clicked
CREATE OR REPLACE MACRO shown(log) AS TABLE
SELECT
    _l.* REPLACE (
        CAST(_l.page_id AS VARCHAR) COLLATE C AS page_id,
        CAST(_l.query_id AS VARCHAR) COLLATE C AS query_id,
        CAST(_l.doc_id AS VARCHAR) COLLATE C AS doc_id,
        CAST(_l.position AS INTEGER) AS position,
        CAST(_l.clicked AS INTEGER) AS clicked,
        CAST(_l.time_to_click AS DOUBLE) AS time_to_click,
        CAST(_l.dwell_time AS DOUBLE) AS dwell_time,
        CAST(_l.response_time AS DOUBLE) AS response_time
    )
FROM query_table(log) AS _l;
