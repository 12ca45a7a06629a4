-- How many queries are dropped at a step of 10%, never all of them.
-- step: 0, 1, …
-- n: queries
CREATE OR REPLACE MACRO dropped_queries(step, n) AS
    -- a sum with 3 · 2^51 is rounded to a whole number, and a half to the even one
    least(step * 1e-1 * n + 6755399441055744e0 - 6755399441055744e0, n - 1e0);
