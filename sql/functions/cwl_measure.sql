-- What a user of a ranking expects, from sums over the ranks; every document costs 1 to look at.
-- j: rows of cwl_stretches
-- measure: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what of the user is measured: the gain per
--     document seen, the gain of all documents seen, the same of costs, or how many documents are seen. Every document
--     costs 1, so the cost is 1 and the total cost the depth, except for users who go on past rank k: totals leave them
--     out
-- gain: sum of the gains, each times the probability that the user looks at it
-- depth: sum of these probabilities
-- gain_beyond, depth_beyond: gain and number of all documents, for those who go on past the last rank; the totals leave
--     these users out
CREATE OR REPLACE MACRO cwl_measure(j, measure, gain, depth, gain_beyond := 0e0, depth_beyond := 0e0) AS
    CASE measure
        WHEN 'utility' THEN gain / depth
        WHEN 'total_utility' THEN (gain - gain_beyond) / sum(j.opening)
        WHEN 'cost' THEN 1e0
        WHEN 'total_cost' THEN 1e0 * (depth - depth_beyond) / sum(j.opening)
        WHEN 'depth' THEN 1e0 * depth / sum(j.opening)
    END;
