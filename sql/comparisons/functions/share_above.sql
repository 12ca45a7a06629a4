-- How likely one of the items that are tied from the first to the last rank is among the first of depth.
-- depth: a rank
-- first, last: ranks
CREATE OR REPLACE MACRO share_above(depth, first, last) AS
    least(1e0, greatest(0e0, (depth - first + 1e0) / (last - first + 1e0)));
