-- The share of pages with a click, on any document or on the first k.
-- name: ClickSuccess, ClickSuccess@k
-- aliases: PageCTR
-- formula: pages with a click at position k or above / pages; NULL without pages
-- relation: clicked
-- k: 1 or more; lowest position that counts, or NULL for all
-- range: 0 to 1
CREATE OR REPLACE MACRO click_success(j, k BIGINT := NULL) AS
    rate(count(CASE WHEN j.page_rows > 0 AND j.first_click <= coalesce(k, j.first_click) THEN 1 END), pages(j));
