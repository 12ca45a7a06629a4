-- The probability that a user who is never satisfied looks at this rank.
-- rank: 1 or more
-- shape: 'reciprocal' is 1 / rank, 'log' is 1 / log2(rank + 1), 'geometric' is x^(rank - 1), 'squared' is (2x / (rank -
--     1 + 2x))^2, 'linear' is 1 - (rank - 1) / x, but at least 0, 'power' is (rank + 1)^x - rank^x, divided by its
--     value at rank 1, 'endless' is 1
-- x: parameter of the shape, if it has one
CREATE OR REPLACE MACRO view_probability(rank, shape, x) AS
    CASE shape
        WHEN 'endless' THEN 1e0
        WHEN 'reciprocal' THEN 1e0 / rank
        WHEN 'log' THEN ln(2e0) / ln(1e0 + rank)
        WHEN 'geometric' THEN power(1e0 * x, rank - 1)
        WHEN 'squared' THEN (2e0 * x / (rank - 1 + 2e0 * x)) * (2e0 * x / (rank - 1 + 2e0 * x))
        WHEN 'linear' THEN CASE WHEN rank - 1 < x THEN 1e0 - 1e0 * (rank - 1) / x ELSE 0e0 END
        WHEN 'power' THEN (power(1e0 + rank, x) - power(1e0 * rank, x)) / (power(2e0, x) - 1e0)
    END;
