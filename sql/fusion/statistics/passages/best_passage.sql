-- The score of the best passage of a document.
-- relation: passages
-- formula: max over passages: score
-- source: Callan 1994, doi:10.1007/978-1-4471-2099-5_31
CREATE OR REPLACE MACRO best_passage(p) AS max(p.score);
