-- Judgments by clicks over expected clicks: how often a document was clicked for a query, relative to other documents
--     at its positions; 1 means as often.
-- log: as for clicked
-- smoothing: 0 or more; pseudo-clicks added to observed and expected clicks, which shrink estimates from few
--     impressions towards 1
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- formula: (clicks + smoothing) / (Σ click-through rate of the position + smoothing); NULL for 0 / 0
-- returns query_id, doc_id: one row each
-- returns relevance: 0 or more
-- returns pages: on how many pages it was shown
-- returns clicks: on how many of these it was clicked
-- source: Zhang and Jones 2007, doi:10.1145/1242572.1242746
CREATE OR REPLACE MACRO judged_by_coec(log, smoothing DOUBLE := 1) AS TABLE
SELECT
    _s.query_id,
    _s.doc_id,
    1e0 * (sum(_s.clicked) + smoothing) / nullif(exact_sum(_e.rate) + smoothing, 0) AS relevance,
    count(*) AS pages,
    count(CASE WHEN _s.clicked = 1 THEN 1 END) AS clicks
FROM shown(log) AS _s
INNER JOIN (
    SELECT
        _r.position,
        avg(1e0 * _r.clicked) AS rate
    FROM shown(log) AS _r
    GROUP BY _r.position
) AS _e ON _s.position = _e.position
GROUP BY _s.query_id, _s.doc_id;
