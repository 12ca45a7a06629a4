-- The shown documents of a click log, each with what happened on its page.
-- log: table or file with a row for each document that was shown: page_id, query_id, doc_id, position and clicked; and,
--     if there are any, time_to_click and dwell_time in seconds, response_time of the page, and other columns to group
--     by. A page is one view of results for a query; one without results is a row with doc_id NULL
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- returns page_id, query_id, doc_id: one row each; with all other columns of the log
-- returns position: 1, 2, … on the page
-- returns clicked: 1 or 0
-- returns time_to_click: seconds from the page to the click on this document
-- returns dwell_time: seconds that the user spent on the document
-- returns num_shown, num_clicked: documents of the page that were shown, and that were clicked
-- returns first_click, last_click: the positions of the topmost and the lowest click on the page; NULL without clicks
-- returns first_click_time: the seconds from the page to its earliest click
-- returns page_response_time: how long the page took to load, in the unit of the log
-- returns page_rows: the number of rows of the page in one of its rows, 0 in the others, to count pages by
CREATE OR REPLACE MACRO clicked(log) AS TABLE
SELECT
    _s.*,
    _p.num_shown,
    _p.num_clicked,
    _p.first_click,
    _p.last_click,
    _p.first_click_time,
    _p.page_response_time,
    CASE WHEN _p.num_shown = 0 OR _s.position = _p.first_position THEN _p.num_rows ELSE 0 END AS page_rows
FROM shown(log) AS _s
INNER JOIN (
    SELECT
        _r.page_id,
        count(*) AS num_rows,
        count(_r.doc_id) AS num_shown,
        count(CASE WHEN _r.clicked = 1 THEN 1 END) AS num_clicked,
        min(_r.position) AS first_position,
        min(CASE WHEN _r.clicked = 1 THEN _r.position END) AS first_click,
        max(CASE WHEN _r.clicked = 1 THEN _r.position END) AS last_click,
        min(CASE WHEN _r.clicked = 1 THEN _r.time_to_click END) AS first_click_time,
        max(_r.response_time) AS page_response_time
    FROM shown(log) AS _r
    GROUP BY _r.page_id
) AS _p ON _s.page_id = _p.page_id;
