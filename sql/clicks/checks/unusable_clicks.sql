-- Rows of a click log that cannot be used: they lack a page, query, document, position or click, or one of these is
--     not valid.
-- severity: error
-- remedy: each row needs a page_id and a query_id and, unless the page has no results, a doc_id, a position and clicked
-- log: as for clicked
CREATE OR REPLACE MACRO unusable_clicks(log) AS TABLE
SELECT
    _u.page_id,
    _u.query_id,
    _u.doc_id,
    concat(coalesce('page ' || _u.page_id || ': ', ''), _u.problem) AS problem
FROM (
    SELECT
        CAST(_s.page_id AS VARCHAR) AS page_id,
        _s.query_id,
        _s.doc_id,
        CASE
            WHEN _s.page_id IS NULL THEN concat('no page_id for query ', _s.query_id)
            WHEN _s.query_id IS NULL OR is_blank(_s.query_id) THEN 'no query_id'
            WHEN _s.doc_id IS NULL AND _s.clicked > 0 THEN 'a click without a doc_id'
            WHEN _s.doc_id IS NULL AND _s.position IS NOT NULL THEN 'a position without a doc_id'
            WHEN _s.response_time < 0 OR NOT isfinite(_s.response_time)
                THEN concat('response_time must be a finite number, 0 or more, not ', _s.response_time)
            WHEN _s.doc_id IS NULL THEN NULL
            WHEN is_blank(_s.doc_id) THEN 'a blank doc_id'
            WHEN _s.position IS NULL AND _s.clicked > 0
                THEN concat('document ', _s.doc_id, ' was clicked but not shown: it has no position')
            WHEN _s.position IS NULL THEN concat('no position for document ', _s.doc_id)
            WHEN _s.position < 1
                THEN concat('position of document ', _s.doc_id, ' must be a whole number, 1 or more')
            WHEN _s.clicked IS NULL THEN concat('clicked of document ', _s.doc_id, ' is missing; it must be 1 or 0')
            WHEN _s.clicked < 0 THEN concat('clicked of document ', _s.doc_id, ' must be 1 or 0')
            WHEN NOT isfinite(_s.time_to_click)
                THEN concat('time_to_click of document ', _s.doc_id, ' must be seconds, not ', _s.time_to_click)
            WHEN NOT isfinite(_s.dwell_time)
                THEN concat('dwell_time of document ', _s.doc_id, ' must be a finite number, not ', _s.dwell_time)
            WHEN _s.time_to_click < 0
                THEN concat('document ', _s.doc_id, ' was clicked before the page: time_to_click ', _s.time_to_click)
            WHEN _s.dwell_time < 0 THEN concat('a time of document ', _s.doc_id, ' is below 0')
        END AS problem
    FROM shown(log) AS _s
) AS _u
WHERE _u.problem IS NOT NULL;
