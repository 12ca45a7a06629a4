-- The number of preferences that the ranking fulfils: the better document is retrieved, the other one further down or not at all.
-- name: NumPrefsFul
-- formula: preferences fulfilled
-- nicknames: prefs, all_prefs
-- trec_eval: prefs_num_prefs_ful; prefs_num_prefs_ful_ret with pairs='both'
-- relation: preferred
-- range: 0 to inf
-- empty: the number of preferences fulfilled all the same
-- over queries: sum
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO num_prefs_ful(j) AS
    1e0 * sum(j.fulfilled);
CREATE OR REPLACE MACRO num_prefs_ful(qrels, run, pairs := 'judged') AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run))
SELECT j.run_id, j.query_id, num_prefs_ful(j) AS num_prefs_ful
FROM preferred(_subtopics, pairs := pairs) AS j
GROUP BY j.run_id, j.query_id;
