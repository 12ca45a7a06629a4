-- What runs retrieve for the query of each page of a log: evaluate takes it, with session_judgments.
-- log: as for clicked
-- run: as for judged; retrieved documents
-- refuses: unusable_clicks, mixed_pages, repeated_positions, unusable_documents, repeated_documents, unasked_runs
-- returns run_id, query_id, doc_id: one row each; query_id is the page_id, as text
-- returns score: as given; without a score column, the negative of the rank, or else of the distance
-- returns rank: the rank column, if there is one
CREATE OR REPLACE MACRO session_runs(log, run) AS TABLE
SELECT
    _r.run_id,
    CAST(_p.page_id AS VARCHAR) COLLATE C AS query_id,
    _r.doc_id,
    _r.score,
    _r.listed_rank AS rank
FROM retrieved(run) AS _r
INNER JOIN (SELECT DISTINCT _s.page_id, _s.query_id FROM shown(log) AS _s) AS _p ON _r.query_id = _p.query_id;
