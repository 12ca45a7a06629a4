-- The share of documents above the lowest click of their page that were not clicked.
-- name: SkipAbove
-- formula: documents above the lowest click and not clicked / documents above the lowest click; NULL without these
-- relation: clicked
-- range: 0 to 1
-- better: lower
-- source: Joachims et al. 2005, doi:10.1145/1076034.1076063
CREATE OR REPLACE MACRO skip_above(j) AS
    rate(
        count(CASE WHEN j.position < j.last_click AND j.clicked = 0 THEN 1 END),
        count(CASE WHEN j.position < j.last_click THEN 1 END)
    );
