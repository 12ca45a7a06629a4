-- The number that whole multiples of a fixed unit stand for.
-- n: number of units
-- highest: as for to_fixed
-- plain: n
CREATE OR REPLACE MACRO from_fixed(n, highest := 65536) AS
    n * (greatest(highest, 65536e0) / 316912650057057350374175801344e0);
