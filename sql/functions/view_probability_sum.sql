-- The number of ranks from first to last seen by a user who is never satisfied.
-- first, last: ranks; 0 if last is less than first
-- shape, x: as for view_probability
CREATE OR REPLACE MACRO view_probability_sum(first, last, shape, x) AS
    coalesce(list_sum(list_transform(range(first, last + 1), lambda _rank: view_probability(_rank, shape, x))), 0e0);
