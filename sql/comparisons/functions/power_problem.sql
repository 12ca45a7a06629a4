-- What is wrong with the power of a two-sided test; NULL if nothing is.
-- power: how often the test would find a difference
-- alpha: significance level: how often it finds one where there is none
CREATE OR REPLACE MACRO power_problem(power, alpha) AS
    CASE
        WHEN power <= alpha
            THEN concat(
                'power must be above alpha, not ', power, ' with alpha ', alpha,
                ': so often the test finds a difference where there is none'
            )
    END;
