-- The number of documents that were clicked; one that is clicked twice on a page counts once.
-- name: Clicks
-- formula: clicked documents
-- relation: clicked
-- range: 0 to ∞
-- aggregate: sum
CREATE OR REPLACE MACRO clicks(j) AS count(CASE WHEN j.clicked = 1 THEN 1 END);
