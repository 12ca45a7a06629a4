-- A power of two about as large as a number, 1 for 0: numbers divided by it keep all digits, and can be squared.
-- x: number, 0 or more
CREATE OR REPLACE MACRO power_of_2(x) AS coalesce(power(2e0, floor(ln(nullif(x, 0)) / ln(2e0))), 1e0);
