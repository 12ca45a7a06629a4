-- The mean position of the documents that were clicked.
-- name: ClickRank
-- aliases: MeanClickRank
-- formula: Σ position of clicked documents / clicked documents; NULL without clicks
-- relation: clicked
-- range: 1 to ∞
-- better: lower
CREATE OR REPLACE MACRO click_rank(j) AS
    rate(sum(CASE WHEN j.clicked = 1 THEN j.position END), clicks(j));
