-- The sum of numbers below 2^56 as whole multiples of 2^-70, the same to the last digit whatever the order of rows and
--     the number of threads. Larger numbers are an error, after which evaluate uses the other macro of this name.
-- x: the terms; NULL adds nothing
CREATE OR REPLACE MACRO exact_sum(x) AS
    sum(CAST(x * 1180591620717411303424e0 AS HUGEINT)) / 1180591620717411303424e0;
