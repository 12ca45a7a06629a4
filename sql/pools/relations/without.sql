-- The run without some documents, such as those that a user already had: ranks are then those of the documents left.
--     For a run where a query may find itself, SELECT * FROM run WHERE query_id <> doc_id is enough.
-- run: as for judged; retrieved documents
-- exclude: table or file of the documents to leave out: query_id, doc_id
-- refuses: unusable_documents, repeated_documents, unusable_excluded
-- returns run_id, query_id, doc_id: one row each, as text; a run without run_id is called 'run'
-- returns score: as given; without a score column, the negative of the rank, or else of the distance
-- returns rank: the rank column, if there is one
CREATE OR REPLACE MACRO without(run, exclude) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score,
    _d.listed_rank AS rank
FROM retrieved(run) AS _d
LEFT JOIN read_excluded(exclude) AS _e
    ON _d.query_id = _e.query_id AND _d.doc_id = _e.doc_id
WHERE _e.doc_id IS NULL;
