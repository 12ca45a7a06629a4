-- The documents that runs retrieved, with how often documents in the same segment of a run's lists were relevant: ranks
--     to 5, 10, 15, 20, 30, 100, 200, 500, 1000, and those beyond.
-- qrels: as for judged; judgments
-- training: as for candidates; what the same runs retrieved for queries that are judged
-- run: as for candidates; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- depth: as for judged; number of documents of each run to keep per query, in training, too
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     untrained_runs
-- groups: query_id, doc_id
-- once: run_id
-- returns run_id, query_id, doc_id: one row each
-- returns score: normalized, as by min_max
-- returns rank, num_ret: as for candidates
-- returns segment: of the list, 1, 2, …
-- returns share: of the ranks of the segment, also those that a list does not reach, how many had a relevant document
--     in training: mean over all judged queries; beyond the last end, of the documents that a list has there
-- returns num_runs: runs in the table
CREATE OR REPLACE MACRO learned_growing(qrels, training, run, rel DOUBLE := 1, depth BIGINT := NULL) AS TABLE
SELECT _l.*
FROM learned_rows(qrels, training, run, rel, 'growing', NULL, depth) AS _l;
