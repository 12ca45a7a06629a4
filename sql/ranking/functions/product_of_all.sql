-- The product over all stretches of a query.
-- s: row of cwl_stretches
-- x: the factors, 0 or more
CREATE OR REPLACE MACRO product_of_all(s, x) AS
    CASE
        WHEN min(x) OVER (PARTITION BY s.run_id, s.query_id) = 0e0 THEN 0e0
        ELSE
            exp(coalesce(from_fixed(sum(to_fixed(ln(nullif(x, 0e0)))) OVER (
                PARTITION BY s.run_id, s.query_id
            )), 0e0))
    END;
