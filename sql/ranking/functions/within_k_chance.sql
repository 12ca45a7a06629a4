-- The probability that a document is among the first k, if tied documents are in random order.
-- j: row of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO within_k_chance(j, k) AS
    CASE
        WHEN j.first_rank <= least(j.last_rank, k)
            THEN 1e0 * (least(j.last_rank, k) - j.first_rank + 1) / require_ties(j.num_tied)
        ELSE 0e0
    END;
