-- The number unchanged.
-- x: the number
-- highest: not used here
CREATE OR REPLACE MACRO to_fixed(x, highest := 65536) AS x;
