-- The mean of numbers, the same to the last digit whatever the order of rows.
-- x: the numbers; NULL is left out
CREATE OR REPLACE MACRO mean_of(x) AS exact_sum(x) / nullif(count(x), 0);
