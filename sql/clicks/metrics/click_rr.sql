-- The mean over pages of 1 divided by the position of the topmost click; 0 for a page without clicks.
-- name: ClickRR
-- aliases: ClickMRR
-- formula: Σ 1 / position of the topmost click / pages; NULL without pages
-- relation: clicked
-- range: 0 to 1
-- differs: some tools leave out pages without clicks or without results
-- source: 理解搜索召回排序算法评价指标: MRR of clicks
CREATE OR REPLACE MACRO click_rr(j) AS
    rate(exact_sum(CASE WHEN j.page_rows > 0 THEN coalesce(1e0 / j.first_click, 0e0) END), pages(j));
