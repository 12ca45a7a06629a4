-- A number as it is.
-- x: the number
-- highest: without meaning here
CREATE OR REPLACE MACRO to_fixed(x, highest := 65536) AS x;
