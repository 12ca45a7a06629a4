-- How many neighbours a query should get.
-- k: how many are asked for, or NULL for all exact neighbours
-- num_exact: exact neighbours of the query
-- denominator: 'cutoff' refuses a query that has fewer than k, 'achievable' asks it for those
CREATE OR REPLACE MACRO neighbours_wanted(k, num_exact, denominator) AS
    CASE
        WHEN denominator = 'cutoff' AND num_exact < k
            THEN error(concat(
                'a query has ', num_exact, ' exact neighbours, fewer than k = ', k,
                '; if there are no more, use denominator := ''achievable'''
            ))
        -- a number of the same type as that of an error elsewhere
        ELSE 1e0 * k_at_most(k, num_exact)
    END;
