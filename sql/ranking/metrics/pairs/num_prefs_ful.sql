-- The number of preferences that the ranking fulfils: the better document is retrieved, and the other is ranked lower
--     or not retrieved.
-- name: NumPrefsFul
-- formula: preferences fulfilled
-- relation: preferences(pairs)
-- range: 0 to inf
-- no relevant: the number of preferences fulfilled, as for other queries
-- aggregate: sum
-- differs: trec_eval breaks ties in this metric by ascending document id, as ties='ascending' does
-- source: trec_eval
CREATE OR REPLACE MACRO num_prefs_ful(j) AS
    1e0 * sum(j.fulfilled);
