-- A number in whole multiples of a fixed unit, whose sums are the same in whatever order they are added.
-- x: the number
-- highest: largest possible value, whatever its sign; the unit is 2^-82 up to 65536, and grows with it from there
-- plain: x
CREATE OR REPLACE MACRO to_fixed(x, highest := 65536) AS
    TRY_CAST(x / (greatest(highest, 65536e0) / 316912650057057350374175801344e0) AS HUGEINT);
