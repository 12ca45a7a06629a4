-- Judgments by the simplified dynamic Bayesian network: users look at documents down to the last click, click those
--     that attract, and stop at one that satisfies. Pages without clicks say nothing.
-- log: as for clicked
-- smoothing: 0 or more; times to add each of the two outcomes; 1 is a uniform prior
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- formula: attraction · satisfaction; attraction = (clicks + smoothing) / (pages + 2 smoothing), satisfaction =
--     (last clicks + smoothing) / (clicks + 2 smoothing), or 0 for 0 / 0
-- returns query_id, doc_id: one row each, of documents that were seen
-- returns relevance: 0 to 1
-- returns attraction, satisfaction: its factors
-- returns pages: on how many pages it was at or above the last click
-- returns clicks: on how many of these it was clicked
-- source: Chapelle and Zhang 2009, doi:10.1145/1526709.1526711
CREATE OR REPLACE MACRO judged_by_sdbn(log, smoothing DOUBLE := 1) AS TABLE
SELECT
    _d.query_id,
    _d.doc_id,
    _d.attraction * _d.satisfaction AS relevance,
    _d.attraction,
    _d.satisfaction,
    _d.pages,
    _d.clicks
FROM (
    SELECT
        _c.query_id,
        _c.doc_id,
        1e0 * (sum(_c.clicked) + smoothing) / (count(*) + 2 * smoothing) AS attraction,
        ratio(
            count(CASE WHEN _c.position = _c.last_click THEN 1 END) + smoothing, sum(_c.clicked) + 2 * smoothing
        ) AS satisfaction,
        count(*) AS pages,
        count(CASE WHEN _c.clicked = 1 THEN 1 END) AS clicks
    FROM clicked(log) AS _c
    WHERE _c.position <= _c.last_click
    GROUP BY _c.query_id, _c.doc_id
) AS _d;
