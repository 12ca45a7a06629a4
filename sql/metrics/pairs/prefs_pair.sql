-- The share of preferences that the ranking fulfils, averaged over pairs of documents, on which subtopics may differ.
-- name: PrefsPair
-- formula: mean over pairs of documents: preferences fulfilled / preferences
-- nicknames: prefs prefs_pair, all_prefs
-- trec_eval: prefs_pair; prefs_pair_ret with pairs='both'; prefs_pair_imp with pairs='either'
-- relation: pairwise
-- range: 0 to 1
-- empty: 0 when there are no preferences
-- over queries: mean or pooled
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_pair(j) AS
    coalesce(1e0 * sum(j.pair_fulfilled) / nullif(sum(j.pair_possible), 0), 0e0);
CREATE OR REPLACE MACRO prefs_pair(qrels, run, pairs := 'judged') AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run)),
_preferred AS (SELECT * FROM preferred(_subtopics, pairs := pairs))
SELECT j.run_id, j.query_id, prefs_pair(j) AS prefs_pair
FROM pairwise(_preferred, pairs := pairs) AS j
GROUP BY j.run_id, j.query_id;
