-- The judgments next to every run, with the rank that the run gave each document; the ids are numbers.
-- qrels: not used here
-- run: table of these rows for each order of ties, which the column ties names
-- ties: as for judged
CREATE OR REPLACE MACRO ranked(qrels, run, ties := 'descending') AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.relevance,
    _r.rank,
    _r.first_rank,
    _r.num_tied,
    _r.num_ret
FROM query_table(run) AS _r
WHERE _r.ties = ties;
