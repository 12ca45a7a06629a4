-- The share of preferences that the ranking fulfils: the better document is retrieved, and the other is ranked lower or
--     not retrieved.
-- name: PrefsSimp
-- formula: preferences fulfilled / preferences
-- relation: preferences(pairs)
-- range: 0 to 1
-- no relevant: 0 if there are no preferences
-- aggregate: mean or pooled
-- differs: trec_eval breaks ties in this metric by ascending document id, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO prefs_simp(j) AS
    ratio(sum(j.fulfilled), sum(j.possible));
