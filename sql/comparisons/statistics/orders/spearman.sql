-- Spearman's rho: the correlation of the ranks of two scorings, the mean rank for tied items.
-- relation: ordered
-- formula: the Pearson correlation of the ranks
-- range: -1 to 1
-- same as: scipy's spearmanr(a, b).statistic
-- source: Spearman 1904, doi:10.2307/1412159
CREATE OR REPLACE MACRO spearman(p) AS
    CASE
        WHEN min(p.rank_a) < max(p.rank_a) AND min(p.rank_b) < max(p.rank_b) THEN correlation_of(p.rank_a, p.rank_b)
    END;
