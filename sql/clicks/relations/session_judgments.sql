-- The clicks of each page of a log as judgments: evaluate takes them, with session_runs, and by the columns of the log.
-- log: as for clicked
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- returns query_id, doc_id: one row each; query_id is the page_id, as text
-- returns relevance: 1 if the document was clicked on the page, else 0
-- returns page_id: the same as query_id, and the other columns of logged_pages(log)
CREATE OR REPLACE MACRO session_judgments(log) AS TABLE
SELECT
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _p.*
FROM (
    SELECT
        CAST(_s.page_id AS VARCHAR) COLLATE C AS query_id,
        _s.doc_id,
        max(_s.clicked) AS relevance
    FROM shown(log) AS _s
    WHERE _s.doc_id IS NOT NULL
    GROUP BY _s.page_id, _s.doc_id
) AS _j
INNER JOIN logged_pages(log) AS _p ON _j.query_id = _p.page_id;
