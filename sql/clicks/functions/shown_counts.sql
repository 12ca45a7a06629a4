-- How often each document was shown at each position for a query, and how often it was clicked there.
-- log: as for clicked
-- returns query_id, doc_id, position: one row each
-- returns pages: on how many pages it was shown there
-- returns clicks: on how many of these it was clicked
-- counted: SELECT _c.* REPLACE (_c.query_id COLLATE C AS query_id, _c.doc_id COLLATE C AS doc_id)
--     FROM query_table(log) AS _c
CREATE OR REPLACE MACRO shown_counts(log) AS TABLE
SELECT
    _s.query_id,
    _s.doc_id,
    _s.position,
    count(*) AS pages,
    count(CASE WHEN _s.clicked = 1 THEN 1 END) AS clicks
FROM shown(log) AS _s
WHERE _s.doc_id IS NOT NULL
GROUP BY _s.query_id, _s.doc_id, _s.position;
