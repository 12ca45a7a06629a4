-- How close the offline and the online differences of queries are to a straight line.
-- relation: bridged
-- formula: the Pearson correlation of difference and online_difference; NULL if one of them does not vary
-- in scipy: pearsonr(difference, online_difference).statistic
-- range: -1 to 1
CREATE OR REPLACE MACRO move_correlation(b) AS
    CASE
        WHEN has_spread(b.difference) AND has_spread(b.online_difference)
            THEN corr(b.difference, b.online_difference)
    END;
