-- The correlation between the offline and the online differences of queries.
-- relation: bridged
-- formula: the Pearson correlation of difference and online_difference; NULL if one of them does not vary
-- same as: scipy's pearsonr(difference, online_difference).statistic
-- range: -1 to 1
CREATE OR REPLACE MACRO move_correlation(b) AS
    CASE
        WHEN
            max(b.difference) - min(b.difference) > 1e-12 * max(b.scale)
            AND max(b.online_difference) - min(b.online_difference) > 1e-12 * max(b.online_scale)
            THEN correlation_of(b.difference / b.scale, b.online_difference / b.online_scale)
    END;
