-- The sum of the scores of a document's passages that were retrieved.
-- relation: passages
-- formula: Σ over passages: score
-- source: Callan 1994, doi:10.1007/978-1-4471-2099-5_31
CREATE OR REPLACE MACRO passage_sum(p) AS sorted_sum(p.score);
