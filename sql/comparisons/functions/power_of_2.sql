-- A power of two about as large as a number, and a small one for 0: numbers divided by it keep all digits, and can be
--     squared.
-- x: number, 0 or more
CREATE OR REPLACE MACRO power_of_2(x) AS power(2e0, floor(ln(greatest(x, 1e-307)) / ln(2e0)));
