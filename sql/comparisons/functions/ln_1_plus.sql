-- ln(1 + y), exact where y is small (Kahan).
-- y: number above -1
CREATE OR REPLACE MACRO ln_1_plus(y) AS
    CASE WHEN 1e0 + y = 1e0 THEN y ELSE ln(1e0 + y) * y / ((1e0 + y) - 1e0) END;
