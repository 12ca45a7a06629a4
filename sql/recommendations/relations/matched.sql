-- Every recommended item of every list, with its rank in the baseline's list for the same user.
-- rankings: rows of rankings
-- baseline: as for judged; one run to compare with
-- depth: as for judged; number of documents to keep per query
-- refuses: unusable_documents, repeated_documents, several_runs
-- returns run_id, query_id, doc_id: one row each
-- returns rank: 1, 2, … in the list
-- returns num_ret: items of the list
-- returns baseline_rank: 1, 2, … in the baseline's list; NULL if the item is not in it
CREATE OR REPLACE MACRO matched(rankings, baseline, depth BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    _b.rank AS baseline_rank
FROM query_table(rankings) AS _r
LEFT JOIN rankings(baseline, depth := depth) AS _b ON _r.query_id = _b.query_id AND _r.doc_id = _b.doc_id;
