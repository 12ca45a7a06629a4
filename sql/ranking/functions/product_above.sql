-- The product over the stretches above one, in the order of the ranking.
-- s: row of cwl_stretches
-- x: the factors, 0 or more
CREATE OR REPLACE MACRO product_above(s, x) AS
    CASE
        WHEN
            min(x) OVER (
                PARTITION BY s.run_id, s.query_id
                ORDER BY s.rank ASC NULLS LAST, s.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) = 0e0 THEN 0e0
        ELSE exp(sum_above(s, ln(nullif(x, 0e0))))
    END;
