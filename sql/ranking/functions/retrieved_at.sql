-- The number of retrieved documents among the first k.
-- k: cut-off rank, or NULL for all
-- num_ret: number of documents retrieved
CREATE OR REPLACE MACRO retrieved_at(k, num_ret) AS
    CASE WHEN k < num_ret THEN k ELSE num_ret END;
