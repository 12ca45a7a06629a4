-- The sum of numbers, in the order in which the engine adds them.
-- x: the terms
CREATE OR REPLACE MACRO total(x) AS sum(x);
