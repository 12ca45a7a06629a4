-- The sum of numbers, the same to the last digit whatever the order of rows and the number of threads: numbers below
--     65536 are added in fixed units, larger ones by size. The bare sum is of numbers below 2^56, as whole multiples of
--     2^-70; larger ones are an error there, after which evaluate uses this one.
-- x: the terms; NULL adds nothing
-- plain: sum(x)
-- bare: sum(CAST(x * 1180591620717411303424e0 AS HUGEINT)) / 1180591620717411303424e0
CREATE OR REPLACE MACRO exact_sum(x) AS
    list_sum([
        from_fixed(sum(to_fixed(CASE WHEN abs(x) < 65536 THEN x END))),
        list_sum(list_sort(list(x) FILTER (abs(x) >= 65536)))
    ]);
