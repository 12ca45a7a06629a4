-- The documents that a log of clicks says were shown, one row each, and the pages that had none.
-- log: as for clicked
-- returns query_id, doc_id: as text
-- returns position: 0 if it is not a whole number
-- returns clicked: 1 or 0; -1 if it is neither
-- returns time_to_click, dwell_time, response_time: as numbers; NaN if they are not, NULL without such a column
CREATE OR REPLACE MACRO shown(log) AS TABLE
SELECT
    _l.* EXCLUDE (_columns) REPLACE (
        require_column('log', 'page_id', _l.page_id, _l._columns) AS page_id,
        CAST(require_column('log', 'query_id', _l.query_id, _l._columns) AS VARCHAR) COLLATE C AS query_id,
        CAST(require_column('log', 'doc_id', _l.doc_id, _l._columns) AS VARCHAR) COLLATE C AS doc_id,
        position_of(require_column('log', 'position', _l.position, _l._columns)) AS position,
        click_of(require_column('log', 'clicked', _l.clicked, _l._columns)) AS clicked,
        number_or_nan(_l.time_to_click) AS time_to_click,
        number_or_nan(_l.dwell_time) AS dwell_time,
        number_or_nan(_l.response_time) AS response_time
    )
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(log) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS page_id,
        NULL AS query_id,
        NULL AS doc_id,
        NULL AS position,
        NULL AS clicked,
        NULL AS time_to_click,
        NULL AS dwell_time,
        NULL AS response_time
    WHERE FALSE
) AS _l;
