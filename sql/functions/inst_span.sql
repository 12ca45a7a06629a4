-- How many ranks of a stretch a user of INST looks at who looks at the first.
-- rank, until: first and last rank of the stretch
-- aim: 2T less what the user has gained
CREATE OR REPLACE MACRO inst_span(rank, until, aim) AS
    CASE
        WHEN until < rank THEN 0e0
        -- the squares of (rank - 1 + aim) / (i - 1 + aim), which the C of INST multiply to from rank to i
        ELSE 1e0 + (rank - 1 + aim) * (rank - 1 + aim) * coalesce(list_sum(list_transform(
            range(rank + 1, until + 1), lambda _i: 1e0 / ((_i - 1 + aim) * (_i - 1 + aim))
        )), 0e0)
    END;
