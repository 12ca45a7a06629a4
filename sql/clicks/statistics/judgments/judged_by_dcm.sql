-- Judgments by the dependent click model: users look at documents down to the last click, and may go on after clicks.
-- log: as for clicked
-- smoothing: 0 or more; times to add each of the two outcomes; 1 is a uniform prior
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- formula: (clicks + smoothing) / (pages + 2 smoothing); on a page without clicks, all documents were seen
-- returns query_id, doc_id: one row each, of documents that were seen
-- returns relevance: 0 to 1
-- returns pages: on how many pages it was seen
-- returns clicks: on how many of these it was clicked
-- source: Guo, Liu and Wang 2009, doi:10.1145/1498759.1498818
CREATE OR REPLACE MACRO judged_by_dcm(log, smoothing DOUBLE := 1) AS TABLE
SELECT
    _c.query_id,
    _c.doc_id,
    1e0 * (sum(_c.clicked) + smoothing) / (count(*) + 2 * smoothing) AS relevance,
    count(*) AS pages,
    count(CASE WHEN _c.clicked = 1 THEN 1 END) AS clicks
FROM clicked(log) AS _c
WHERE _c.position <= coalesce(_c.last_click, _c.position)
GROUP BY _c.query_id, _c.doc_id;
