-- What a user of a ranking expects, from sums over the ranks; every document costs 1 to look at.
-- expected: 'utility' is the gain per document seen, 'total_utility' that of all, 'cost' and 'total_cost' the same of costs, 'depth' how many documents are seen
-- gain: sum of the gains, each times the probability that the user looks at it
-- depth: sum of these probabilities
-- gain_beyond, depth_beyond: gain and number of all documents, for those who go on past the last rank; the totals leave these users out
-- queries: how many queries the sums are of
CREATE OR REPLACE MACRO user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) AS
    CASE expected
        WHEN 'utility' THEN coalesce(1e0 * gain / depth, 0e0)
        WHEN 'total_utility' THEN coalesce(1e0 * (gain - gain_beyond) / queries, 0e0)
        WHEN 'cost' THEN 1e0
        WHEN 'total_cost' THEN 1e0 * (depth - depth_beyond) / queries
        WHEN 'depth' THEN 1e0 * depth / queries
        ELSE error(concat(
            'expected is ''utility'', ''total_utility'', ''cost'', ''total_cost'' or ''depth'', not ''', expected, ''''
        ))
    END;
