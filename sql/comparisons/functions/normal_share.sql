-- The share of the standard normal distribution that lies below z.
-- z: where it ends
CREATE OR REPLACE MACRO normal_share(z) AS
    CASE WHEN z < 0 THEN normal_p(z) / 2e0 ELSE 1e0 - normal_p(z) / 2e0 END;
