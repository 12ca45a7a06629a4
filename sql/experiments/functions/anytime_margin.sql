-- Half the width of an interval that holds at every look: an asymptotic confidence sequence.
-- variance: the squared standard error
-- steps: of anytime_steps
-- confidence: between 0 and 1
CREATE OR REPLACE MACRO anytime_margin(variance, steps, confidence) AS
    sqrt(variance * 2e0 * (steps + 1e0) / steps * ln(sqrt(steps + 1e0) / (1e0 - confidence)));
