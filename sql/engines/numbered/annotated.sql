-- Retrieved documents that are judged for any query, with their rank; the ids are numbers.
-- qrels: not used here
-- run: table of the rows of ranked, over judgments that include documents judged for other queries
-- ties, depth: as for the file of this name in sql/relations, which returns the same rows
CREATE OR REPLACE MACRO annotated(qrels, run, ties VARCHAR := 'descending', depth BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.has_results,
    _r.num_ret
FROM restricted(qrels, run, ties := ties, depth := depth) AS _r;
