-- Whether some of the positions of a page are the same.
-- x: the column, of these positions
CREATE OR REPLACE MACRO some_repeat(x) AS count(*) > count(DISTINCT x);
