-- The discount that divides the gain at a rank, as a fraction.
-- rank: 1 or more
-- discount: 'log' is log(rank + 1), 'clipped' is log(rank), but 1 before rank base, 'reciprocal' is the rank, 'none' is
--     1
-- base: base of the logarithm
CREATE OR REPLACE MACRO rank_discount(rank, discount, base) AS
    CASE discount
        WHEN 'log' THEN ln(1e0 + rank) / ln(1e0 * base)
        WHEN 'clipped' THEN CASE WHEN rank > base THEN ln(1e0 * rank) / ln(1e0 * base) ELSE 1e0 END
        WHEN 'reciprocal' THEN rank
        WHEN 'none' THEN 1e0
    END;
