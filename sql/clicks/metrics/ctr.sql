-- The share of shown documents that were clicked (click-through rate), of all, or with @3 of those at
--     position 3 alone.
-- name: CTR, CTR@rank
-- aliases: ClickThroughRate
-- formula: clicked documents / shown documents; NULL if none was shown
-- relation: clicked
-- rank: 1 or more; the position, or NULL for all
-- range: 0 to 1
-- differs: the share of pages with a click is called CTR, too; here it is ClickSuccess
CREATE OR REPLACE MACRO ctr(j, rank BIGINT := NULL) AS
    rate(
        count(CASE WHEN j.clicked = 1 AND j.position = coalesce(rank, j.position) THEN 1 END),
        count(CASE WHEN j.position = coalesce(rank, j.position) THEN 1 END)
    );
