-- The p-value that holds at every look: the level at which the interval of anytime_margin ends at 0.
-- difference: the difference
-- variance: its squared standard error
-- steps: of anytime_steps
CREATE OR REPLACE MACRO anytime_p(difference, variance, steps) AS
    least(1e0, sqrt(steps + 1e0) * exp(-difference / variance * difference * steps / (steps + 1e0) / 2e0));
