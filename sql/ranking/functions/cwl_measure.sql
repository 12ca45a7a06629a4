-- The measure of a user of a ranking, from sums over the ranks; each document costs 1 to look at.
-- j: rows of cwl_stretches
-- measure: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what to measure: the gain per document seen,
--     the total gain, the cost per document seen, the total cost, or the number of documents seen. Each document costs
--     1, so the cost is 1 and the total cost is the depth, except for users who continue past rank k: totals leave them
--     out
-- gain: sum of the gains, each times the probability that the user sees it
-- depth: sum of these probabilities
-- gain_beyond, depth_beyond: gain and number of all documents, for users who continue past the last rank; totals leave
--     them out
CREATE OR REPLACE MACRO cwl_measure(j, measure, gain, depth, gain_beyond := 0e0, depth_beyond := 0e0) AS
    CASE measure
        WHEN 'utility' THEN gain / depth
        WHEN 'total_utility' THEN (gain - gain_beyond) / sum(j.opening)
        WHEN 'cost' THEN 1e0
        WHEN 'total_cost' THEN 1e0 * (depth - depth_beyond) / sum(j.opening)
        WHEN 'depth' THEN 1e0 * depth / sum(j.opening)
    END;
