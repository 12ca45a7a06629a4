-- Whether some of the positions of a page, up to 120 from a multiple of 120 on, are the same.
-- x: the column, of these positions
-- no_lists: count(*) > count(DISTINCT x)
CREATE OR REPLACE MACRO some_repeat(x) AS
    -- a bit for each of them, which is quicker than counting distinct ones
    count(*) <> bit_count(bit_or(CAST(1 AS HUGEINT) << CAST(x % 120 AS INTEGER)));
