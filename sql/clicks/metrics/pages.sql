-- The number of pages: views of results for a query.
-- name: Pages
-- formula: pages
-- relation: clicked
-- range: 0 to ∞
-- aggregate: sum
CREATE OR REPLACE MACRO pages(j) AS count(CASE WHEN j.page_rows > 0 THEN 1 END);
