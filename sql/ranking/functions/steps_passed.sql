-- The probability that a user who continues past each rank with these probabilities passes the last one.
-- steps: list of probabilities, by rank
CREATE OR REPLACE MACRO steps_passed(steps) AS
    coalesce(list_product(steps), 1e0);
