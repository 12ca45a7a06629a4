-- The mean of numbers, the same to the last digit whatever the order of rows.
-- x: the numbers; NULL is left out
CREATE OR REPLACE MACRO mean_of(x) AS rate(exact_sum(x), count(x));
