-- The share of preferences that the ranking fulfils, averaged over subtopics, each as if as many documents were judged not relevant as are relevant.
-- name: PrefsAvgJGRnonrel
-- formula: mean over subtopics: preferences fulfilled / preferences, over the first R documents that are not relevant
-- nicknames: all_prefs
-- trec_eval: prefs_avgjg_Rnonrel with as_coded=TRUE; prefs_avgjg_Rnonrel_ret with pairs='both', as_coded=TRUE
-- relation: balanced
-- range: 0 to 1
-- empty: 0 when nothing has a relevance above 0, as of each such subtopic
-- differs: trec_eval compares documents that are not relevant with one another where they are more than the relevant ones, and divides by zero where nothing is relevant, which as_coded does, too; it breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_avgjg_rnonrel(j) AS
    coalesce(
        sum(1e0 * j.balanced_fulfilled / nullif(j.balanced_group_possible, 0))
        / nullif(sum(CASE WHEN j.group_place = 1 THEN 1 END), 0),
        0e0
    );
CREATE OR REPLACE MACRO prefs_avgjg_rnonrel(qrels, run, pairs := 'judged', as_coded := FALSE) AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run)),
_preferred AS (SELECT * FROM preferred(_subtopics, pairs := pairs))
SELECT j.run_id, j.query_id, prefs_avgjg_rnonrel(j) AS prefs_avgjg_rnonrel
FROM balanced(_preferred, pairs := pairs, as_coded := as_coded) AS j
GROUP BY j.run_id, j.query_id;
