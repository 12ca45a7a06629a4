-- How many of the retrieved documents are among the first k.
-- k: cut-off rank, NULL takes all
-- num_ret: documents retrieved
CREATE OR REPLACE MACRO retrieved_at(k, num_ret) AS
    CASE WHEN k < num_ret THEN k ELSE num_ret END;
