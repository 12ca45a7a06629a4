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
    _l.run_id,
    _l.query_id,
    _l.doc_id,
    _l.score,
    _l.rank,
    _l.num_ret,
    from_fixed(sum(to_fixed(_l.share)) OVER (
        PARTITION BY _l.run_id, _l.query_id ORDER BY _l.rank ASC NULLS LAST
        ROWS BETWEEN width PRECEDING AND width FOLLOWING
    )) / (1 + least(_l.rank + width, _l.num_ret) - greatest(_l.rank - width, 1)) AS share
FROM learned_rows(qrels, training, run, rel, 'ranks', NULL, depth) AS _l;
