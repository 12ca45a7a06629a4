-- The share of preferences that the ranking fulfils, averaged over pairs of documents, on which subtopics may disagree.
-- name: PrefsPair
-- formula: mean over pairs of documents: preferences fulfilled / preferences
-- relation: preference_pairs(pairs)
-- range: 0 to 1
-- no relevant: 0 if there are no preferences
-- aggregate: mean or pooled
-- differs: trec_eval breaks ties in this metric by ascending document id, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_pair(j) AS
    ratio(exact_sum(j.pair_fulfilled), exact_sum(j.pair_possible));
