-- The documents that runs retrieved, with how often documents at the same rank of a run were relevant.
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
-- returns share: of the documents of the segment that were relevant in training: mean over the lists that have this
--     rank
-- returns num_runs: runs in the table
CREATE OR REPLACE MACRO learned_ranks(qrels, training, run, rel DOUBLE := 1, depth BIGINT := NULL) AS TABLE
SELECT _l.*
FROM learned_rows(qrels, training, run, rel, 'ranks', NULL, depth) AS _l;
