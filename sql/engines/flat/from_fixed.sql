-- A number as it is.
-- n: the number
-- highest: without meaning here
CREATE OR REPLACE MACRO from_fixed(n, highest := 65536) AS n;
