-- The share of preferences that the ranking fulfils, averaged over subtopics (judgment groups).
-- name: PrefsAvgJG
-- formula: mean over subtopics: preferences fulfilled / preferences
-- relation: preferences(pairs)
-- range: 0 to 1
-- no relevant: 0 if there are no preferences, as for each such subtopic
-- differs: trec_eval breaks ties in this metric by ascending document id, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_avgjg(j) AS
    ratio(exact_sum(ratio(j.fulfilled, j.group_possible)), count(CASE WHEN j.group_place = 1 THEN 1 END));
