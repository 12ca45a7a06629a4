-- The documents that runs retrieved, with how often documents near the same rank of a run were relevant.
-- qrels: as for judged; judgments
-- training: as for candidates; what the same runs retrieved for queries that are judged
-- run: as for candidates; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- width: 1 or more; how many ranks above and below are near
-- depth: as for judged; number of documents of each run to keep per query, in training, too
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     untrained_runs
-- groups: query_id, doc_id
-- once: run_id
-- returns run_id, query_id, doc_id: one row each
-- returns score: normalized, as by min_max
-- returns rank, num_ret: as for candidates
-- returns share: of the documents near that were relevant in training: mean over the ranks of the list that are near,
--     of the mean over the lists that have the rank
CREATE OR REPLACE MACRO learned_windows(
    qrels, training, run, rel DOUBLE := 1, width BIGINT := 5, depth BIGINT := NULL
) AS TABLE
SELECT
    _c.run_id,
    _c.query_id,
    _c.doc_id,
    _c.score,
    _c.rank,
    _c.num_ret,
    coalesce(sorted_sum(_s.share), 0e0)
    / (1 + least(_c.rank + width, _c.num_ret) - greatest(_c.rank - width, 1)) AS share
FROM candidates(run, depth := depth) AS _c
LEFT JOIN segment_chances(qrels, training, rel, 'ranks', NULL, depth) AS _s
    ON
        _c.run_id = _s.run_id
        AND _s.segment >= _c.rank - width AND _s.segment <= least(_c.rank + width, _c.num_ret)
GROUP BY _c.run_id, _c.query_id, _c.doc_id, _c.score, _c.rank, _c.num_ret;
