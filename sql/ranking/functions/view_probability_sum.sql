-- The number of ranks from 1 to last seen by a user who is never satisfied.
-- last: whole number, 1 or more
-- shape, x: as for view_probability
CREATE OR REPLACE MACRO view_probability_sum(last, shape, x) AS
    list_sum(list_transform(range(1, last + 1), lambda _rank: view_probability(_rank, shape, x)));
