-- The number of relevant documents that a recall point stands for.
-- recall: recall point; 1 stands for all of them
-- num_rel: relevant documents of the query
-- rounding: added before the fraction is cut off
CREATE OR REPLACE MACRO recall_count(recall, num_rel, rounding) AS
    CAST(floor(1e0 * recall * num_rel + rounding) AS BIGINT);
