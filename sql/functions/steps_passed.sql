-- The probability that a user goes on past the last rank who goes on from each with these probabilities.
-- steps: list of probabilities, rank by rank
CREATE OR REPLACE MACRO steps_passed(steps) AS
    coalesce(list_product(steps), 1e0);
