-- The share of pages with results on which nothing was clicked.
-- name: Abandonment
-- aliases: AbandonmentRate
-- formula: pages with results and without clicks / pages with results; NULL without these
-- relation: clicked
-- range: 0 to 1
-- better: lower
-- differs: an answer that is read on the page itself needs no click, and some count it separately (good abandonment)
-- source: Li, Huffman and Tokuda 2009, doi:10.1145/1571941.1571951
CREATE OR REPLACE MACRO abandonment(j) AS
    rate(
        count(CASE WHEN j.page_rows > 0 AND j.num_shown > 0 AND j.num_clicked = 0 THEN 1 END),
        count(CASE WHEN j.page_rows > 0 AND j.num_shown > 0 THEN 1 END)
    );
