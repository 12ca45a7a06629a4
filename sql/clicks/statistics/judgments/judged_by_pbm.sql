-- Judgments by the position-based model: how often a document was clicked when it was looked at. Documents at positions
--     that `examination` does not have are left out.
-- log: as for clicked
-- smoothing: 0 or more; times to add each of the two outcomes; 1 is a uniform prior
-- steps, least_pages: as for examination
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- formula: (clicks + smoothing) / (Σ examination of the position + 2 smoothing), at most 1
-- returns query_id, doc_id: one row each
-- returns relevance: 0 to 1
-- returns pages: on how many pages it was shown
-- returns clicks: on how many of these it was clicked
-- source: Joachims, Swaminathan and Schnabel 2017, doi:10.1145/3018661.3018699
CREATE OR REPLACE MACRO judged_by_pbm(log, smoothing DOUBLE := 1, steps BIGINT := 50, least_pages BIGINT := 20) AS TABLE
SELECT
    _s.query_id,
    _s.doc_id,
    -- at most 1, also where nobody is estimated to look at the position of a click
    ratio(
        sum(_s.clicks) + smoothing,
        greatest(exact_sum(_s.pages * _e.examination) + 2 * smoothing, 1e0 * sum(_s.clicks) + smoothing)
    ) AS relevance,
    CAST(sum(_s.pages) AS BIGINT) AS pages,
    CAST(sum(_s.clicks) AS BIGINT) AS clicks
FROM shown_counts(log) AS _s
INNER JOIN examination(log, steps := steps, least_pages := least_pages) AS _e ON _s.position = _e.position
GROUP BY _s.query_id, _s.doc_id;
