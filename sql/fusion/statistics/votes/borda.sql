-- The Borda count: a document gets a point for each document below it; those that a run did not retrieve share the
--     points left.
-- relation: ballots
-- formula: Σ over runs: weight · (candidates − rank + 1), of those not retrieved weight · (candidates − retrieved + 1)
--     / 2
-- source: Aslam and Montague 2001, doi:10.1145/383952.384007
CREATE OR REPLACE MACRO borda(b) AS sorted_sum(b.weight * b.num_candidates * b.score);
