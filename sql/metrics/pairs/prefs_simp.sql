-- The share of preferences that the ranking fulfils: the better document is retrieved, the other one further down or
--     not at all.
-- name: PrefsSimp
-- formula: preferences fulfilled / preferences
-- in trec_eval: prefs_simp; prefs_simp_ret with pairs='both'; prefs_simp_imp with pairs='either'
-- relation: preferences(pairs)
-- range: 0 to 1
-- no relevant: 0 when there are no preferences
-- aggregate: mean or pooled
-- differs: trec_eval breaks ties by document id ascending here, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_simp(j) AS
    ratio(sum(j.fulfilled), sum(j.possible));
