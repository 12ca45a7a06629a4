-- The share of preferences that the ranking fulfils, averaged over subtopics, as if each had as many documents judged
--     not relevant as relevant.
-- name: PrefsAvgJGBalanced
-- formula: mean over subtopics: preferences fulfilled / preferences, over the first R documents that are not relevant
-- relation: balanced_preferences(pairs, as_coded)
-- range: 0 to 1
-- no relevant: 0 if nothing has a relevance above 0, as for each such subtopic
-- differs: if there are more non-relevant than relevant documents, trec_eval compares the non-relevant ones with one
--     another, and if nothing is relevant, it divides by zero; as_coded does both. It breaks ties by ascending document
--     id, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_avgjg_balanced(j) AS
    ratio(
        exact_sum(ratio(j.balanced_fulfilled, j.balanced_group_possible)),
        count(CASE WHEN j.group_place = 1 THEN 1 END)
    );
