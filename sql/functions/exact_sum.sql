-- The sum of numbers, the same to the last digit whatever the order of rows and the number of threads: numbers below
--     65536 are added in fixed units, larger ones by size.
-- x: the terms; NULL adds nothing
CREATE OR REPLACE MACRO exact_sum(x) AS
    list_sum([
        from_fixed(sum(to_fixed(CASE WHEN abs(x) < 65536 THEN x END))),
        list_sum(list_sort(list(x) FILTER (abs(x) >= 65536)))
    ]);
