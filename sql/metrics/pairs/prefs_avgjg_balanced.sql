-- The share of preferences that the ranking fulfils, averaged over subtopics, each as if as many documents were judged
--     not relevant as are relevant.
-- name: PrefsAvgJGBalanced
-- formula: mean over subtopics: preferences fulfilled / preferences, over the first R documents that are not relevant
-- in trec_eval: prefs_avgjg_Rnonrel with as_coded=TRUE; prefs_avgjg_Rnonrel_ret with pairs='both', as_coded=TRUE
-- relation: balanced_preferences(pairs, as_coded)
-- range: 0 to 1
-- no relevant: 0 when nothing has a relevance above 0, as of each such subtopic
-- differs: trec_eval compares documents that are not relevant with one another where they are more than the relevant
--     ones, and divides by zero where nothing is relevant, which as_coded does, too; it breaks ties by document id
--     ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_avgjg_balanced(j) AS
    ratio(
        total(ratio(j.balanced_fulfilled, j.balanced_group_possible)),
        count(CASE WHEN j.group_place = 1 THEN 1 END)
    );
