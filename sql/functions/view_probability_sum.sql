-- How many of the ranks from first to last a user looks at whom nothing satisfies.
-- first, last: ranks; 0 when last is below first
-- shape, x: as for view_probability
CREATE OR REPLACE MACRO view_probability_sum(first, last, shape, x) AS
    coalesce(list_sum(list_transform(range(first, last + 1), lambda _rank: view_probability(_rank, shape, x))), 0e0);
