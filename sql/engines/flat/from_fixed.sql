-- The number unchanged.
-- n: the number
-- highest: not used here
CREATE OR REPLACE MACRO from_fixed(n, highest := 65536) AS n;
