-- The rows of judged for each page of a log: its clicks are the judgments, and runs answer its query, so that the mean
--     of a metric is over pages, and counts a query as often as users ask it.
-- log: as for clicked
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- gains: as for judged; gain of each relevance
-- ties: 'descending', 'ascending', 'rank', 'best' or 'worst'; order of documents of the same score
-- depth: as for judged; number of documents to keep per page
-- judged_only: as for judged; whether ranks skip documents that the page did not show
-- refuses: unusable_clicks, mixed_pages, repeated_positions, unusable_documents, repeated_documents, unasked_runs
-- rows: judged
-- returns run_id, query_id, doc_id: one row each; query_id is the page_id, as text
-- returns page_id: the same, and the other columns of logged_pages(log): page_query, what happened on the page, and the
--     columns of the log
-- returns relevance: 1 if the document was clicked on the page, else 0. On a page without clicks nothing is relevant; a
--     page that showed no documents has no rows
CREATE OR REPLACE MACRO session_judged(
    log, run, rel DOUBLE := 1, gains MAP (DOUBLE, DOUBLE) := NULL, ties VARCHAR := 'descending',
    depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
WITH
    _clicks AS (SELECT * FROM session_judgments(log)),
    _answers AS (SELECT * FROM session_runs(log, run))
SELECT
    _j.*,
    _p.*
FROM judged(
    _clicks, _answers, rel := rel, gains := gains, ties := ties, depth := depth, judged_only := judged_only
) AS _j
INNER JOIN logged_pages(log) AS _p ON _j.query_id = _p.page_id;
