-- A number with one digit behind the point, as text.
-- x: the number, 0 or more
-- no_lists: concat(CAST(floor(floor(x * 10 + 5e-1) / 10) AS BIGINT), '.', CAST(floor(x * 10 + 5e-1)
--     - floor(floor(x * 10 + 5e-1) / 10) * 10 AS BIGINT))
CREATE OR REPLACE MACRO one_decimal(x) AS format('{:.1f}', x);
