-- The share of preferences that the ranking fulfils: the better document is retrieved, the other one further down or not at all.
-- name: PrefsSimp
-- formula: preferences fulfilled / preferences
-- nicknames: prefs prefs_simp, all_prefs
-- trec_eval: prefs_simp; prefs_simp_ret with pairs='both'; prefs_simp_imp with pairs='either'
-- relation: preferred
-- range: 0 to 1
-- empty: 0 when there are no preferences
-- over queries: mean or pooled
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_simp(j) AS
    coalesce(1e0 * sum(j.fulfilled) / nullif(sum(j.possible), 0), 0e0);
CREATE OR REPLACE MACRO prefs_simp(qrels, run, pairs := 'judged') AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run))
SELECT j.run_id, j.query_id, prefs_simp(j) AS prefs_simp
FROM preferred(_subtopics, pairs := pairs) AS j
GROUP BY j.run_id, j.query_id;
