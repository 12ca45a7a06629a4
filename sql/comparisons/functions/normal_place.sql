-- The z below which a share of the standard normal distribution lies.
-- share: between 0 and 1
CREATE OR REPLACE MACRO normal_place(share) AS
    CASE
        WHEN share = 5e-1 THEN 0e0
        ELSE sign(share - 5e-1) * normal_quantile(2e0 * least(share, 1e0 - share))
    END;
