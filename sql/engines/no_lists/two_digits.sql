-- A number with its first two digits, as text; below 1 with two digits behind the point.
-- x: the number, 0 or more
CREATE OR REPLACE MACRO two_digits(x) AS
    CASE
        WHEN x >= 10 THEN whole_text(floor(x + 5e-1))
        WHEN x >= 1 THEN one_decimal(x)
        WHEN x >= 1e-1 THEN concat('0.', CAST(floor(x * 100 + 5e-1) AS BIGINT))
        ELSE concat('0.0', CAST(floor(x * 100 + 5e-1) AS BIGINT))
    END;
