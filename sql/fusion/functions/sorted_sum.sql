-- The sum of few numbers of any size, the same to the last digit whatever the order of rows.
-- x: the terms; NULL adds nothing
-- plain: sum(x)
CREATE OR REPLACE MACRO sorted_sum(x) AS list_sum(list_sort(list(x)));
