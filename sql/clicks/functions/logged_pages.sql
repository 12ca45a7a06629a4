-- The pages of a log that showed documents, with its columns that are the same in all rows of a page.
-- log: as for clicked
-- returns page_id: one row each, as text
-- returns page_query: the query of the page
-- returns num_shown, num_clicked, first_click, last_click, first_click_time, page_response_time: as by clicked
CREATE OR REPLACE MACRO logged_pages(log) AS TABLE
SELECT
    _c.* EXCLUDE (
        page_id, query_id, doc_id, position, clicked, time_to_click, dwell_time, response_time, page_rows
    ),
    CAST(_c.page_id AS VARCHAR) COLLATE C AS page_id,
    _c.query_id AS page_query
FROM clicked(log) AS _c
WHERE _c.page_rows > 0 AND _c.num_shown > 0;
