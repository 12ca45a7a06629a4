-- The number of ranks of a stretch seen by an INST user who looks at the first.
-- rank, until: first and last rank of the stretch
-- aim: 2T minus the user's gain so far
CREATE OR REPLACE MACRO inst_span(rank, until, aim) AS
    CASE
        WHEN until < rank THEN 0e0
        -- the squares of (rank - 1 + aim) / (i - 1 + aim): the product of INST's C from rank to i
        ELSE 1e0 + (rank - 1 + aim) * (rank - 1 + aim) * inverse_squares(rank + aim, until - rank)
    END;
