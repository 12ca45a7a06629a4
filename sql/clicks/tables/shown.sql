-- The documents that a click log says were shown, one row each, and the pages that had none.
-- log: as for clicked
-- returns query_id, doc_id: as text
-- returns position: 0 if it is not a whole number
-- returns clicked: 1 or 0; -1 if it is neither
-- returns time_to_click, dwell_time, response_time: as numbers; NaN if they are not, NULL without such a column
-- needs: page_id, query_id, doc_id, position, clicked
CREATE OR REPLACE MACRO shown(log) AS TABLE
SELECT
    _l.* REPLACE (
        CAST(_l.query_id AS VARCHAR) COLLATE C AS query_id,
        CAST(_l.doc_id AS VARCHAR) COLLATE C AS doc_id,
        position_of(_l.position) AS position,
        click_of(_l.clicked) AS clicked,
        number_or_nan(_l.time_to_click) AS time_to_click,
        number_or_nan(_l.dwell_time) AS dwell_time,
        number_or_nan(_l.response_time) AS response_time
    )
FROM with_columns(
    log, {
        'page_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'position': NULL, 'clicked': NULL,
        'time_to_click': NULL, 'dwell_time': NULL, 'response_time': NULL
    }
) AS _l;
