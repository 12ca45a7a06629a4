-- The share of pages without results.
-- name: ZeroResults
-- aliases: ZeroResultRate; NullRate
-- formula: pages without results / pages; NULL without pages
-- relation: clicked
-- range: 0 to 1
-- better: lower
CREATE OR REPLACE MACRO zero_results(j) AS
    rate(count(CASE WHEN j.page_rows > 0 AND j.num_shown = 0 THEN 1 END), pages(j));
