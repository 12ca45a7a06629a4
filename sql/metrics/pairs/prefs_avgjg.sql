-- The share of preferences that the ranking fulfils, averaged over subtopics (judgment groups).
-- name: PrefsAvgJG
-- formula: mean over subtopics: preferences fulfilled / preferences
-- nicknames: prefs prefs_avgjg, all_prefs
-- trec_eval: prefs_avgjg; prefs_avgjg_ret with pairs='both'; prefs_avgjg_imp with pairs='either'
-- relation: preferred
-- range: 0 to 1
-- empty: 0 when there are no preferences, as of each such subtopic
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_avgjg(j) AS
    coalesce(
        sum(1e0 * j.fulfilled / nullif(j.group_possible, 0))
        / nullif(sum(CASE WHEN j.group_place = 1 THEN 1 END), 0),
        0e0
    );
CREATE OR REPLACE MACRO prefs_avgjg(qrels, run, pairs := 'judged') AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run))
SELECT j.run_id, j.query_id, prefs_avgjg(j) AS prefs_avgjg
FROM preferred(_subtopics, pairs := pairs) AS j
GROUP BY j.run_id, j.query_id;
