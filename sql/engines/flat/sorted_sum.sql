-- The sum of numbers, in the order the engine adds them.
-- x: the terms
CREATE OR REPLACE MACRO sorted_sum(x) AS sum(x);
