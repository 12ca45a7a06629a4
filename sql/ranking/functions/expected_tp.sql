-- True positives, averaged over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO expected_tp(j, k) AS exact_sum(j.relevant * within_k_chance(j, k));
