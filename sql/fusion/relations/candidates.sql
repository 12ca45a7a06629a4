-- The documents that runs retrieved, to be fused: a row for each run that has the document.
-- run: table or file of retrieved documents: run_id, query_id, doc_id, score and, if runs differ in weight, weight
-- normalization: 'min_max', 'max', 'sum', 'z_score', 'l2', 'rank', 'relative_score', 'distribution_based',
--     'opensearch_min_max', 'opensearch_z_score', 'elasticsearch_minmax' or 'none'; what makes the scores of different
--     runs comparable, list by list
-- depth: as for judged; number of documents of each run to keep per query
-- refuses: unusable_documents, repeated_documents, unusable_weights, scores_beyond_normalization
-- groups: query_id, doc_id
-- once: run_id
-- returns run_id, query_id, doc_id: one row each
-- returns score: normalized
-- returns rank: 1, 2, … by score descending, tied documents by doc_id descending (bytes)
-- returns num_ret: documents that the run retrieved for the query
-- returns weight: of the run
CREATE OR REPLACE MACRO candidates(run, normalization VARCHAR := 'min_max', depth BIGINT := NULL) AS TABLE
SELECT
    _s.run_id,
    _s.query_id,
    _s.doc_id,
    CASE normalization
        WHEN 'min_max' THEN min_max(_s)
        WHEN 'max' THEN max_score(_s)
        WHEN 'sum' THEN sum_score(_s)
        WHEN 'z_score' THEN z_score(_s)
        WHEN 'l2' THEN l2_score(_s)
        WHEN 'rank' THEN rank_score(_s)
        WHEN 'relative_score' THEN relative_score(_s)
        WHEN 'distribution_based' THEN distribution_score(_s)
        WHEN 'opensearch_min_max' THEN opensearch_min_max(_s)
        WHEN 'opensearch_z_score' THEN opensearch_z_score(_s)
        WHEN 'elasticsearch_minmax' THEN elasticsearch_minmax(_s)
        ELSE _s.score
    END AS score,
    _s.rank,
    _s.num_ret,
    _w.weight
FROM scored_lists(run, depth) AS _s
INNER JOIN run_weights(run) AS _w ON _s.run_id = _w.run_id;
