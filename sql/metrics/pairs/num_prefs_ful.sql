-- The number of preferences that the ranking fulfils: the better document is retrieved, the other one further down or
--     not at all.
-- name: NumPrefsFul
-- formula: preferences fulfilled
-- in trec_eval: prefs_num_prefs_ful; prefs_num_prefs_ful_ret with pairs='both'
-- relation: preferences(pairs)
-- range: 0 to inf
-- no relevant: the number of preferences fulfilled all the same
-- aggregate: sum
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO num_prefs_ful(j) AS
    1e0 * sum(j.fulfilled);
