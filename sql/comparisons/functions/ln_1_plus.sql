-- ln(1 + y), exact where y is small (Kahan).
-- y: number above -1
-- no_lists: ln(1e0 + (y))
CREATE OR REPLACE MACRO ln_1_plus(y) AS
    let(y, lambda z: CASE WHEN 1e0 + z = 1e0 THEN z ELSE ln(1e0 + z) * z / ((1e0 + z) - 1e0) END);
