-- The number of preferences: pairs of documents of which one is judged more relevant than the other.
-- name: NumPrefs
-- formula: pairs of documents of different relevance
-- relation: preferences(pairs)
-- range: 0 to inf
-- no relevant: the number of preferences, as for other queries
-- aggregate: sum
-- differs: trec_eval counts preferences over documents with a relevance below 0; here, these are unjudged
-- source: trec_eval
CREATE OR REPLACE MACRO num_prefs(j) AS
    1e0 * sum(j.possible);
