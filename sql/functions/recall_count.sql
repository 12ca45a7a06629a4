-- How many relevant documents a recall stands for.
-- recall: 1 stands for all of them
-- num_rel: relevant documents of the query
-- rounding: what is added before the fraction is cut off
CREATE OR REPLACE MACRO recall_count(recall, num_rel, rounding) AS
    CAST(floor(1e0 * recall * num_rel + rounding) AS BIGINT);
