-- How likely users look at each position, by the position-based model: a document is clicked if it is looked at, which
--     depends on the position, and if it attracts, which depends on the query and the document. By expectation
--     maximisation over documents that were shown at several positions, since only they tell the two apart.
-- log: as for clicked
-- steps: whole number, 1 or more; how often both are estimated in turn
-- least_pages: whole number, 2 or more; documents on fewer pages are left out, as too little is known of each
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- returns position: one row each, of those where such documents were shown
-- returns examination: relative to the position that is looked at most, 0 to 1
-- returns pages: with such a document at the position
-- returns clicks: on these
-- source: Richardson, Dominowska and Ragno 2007, doi:10.1145/1242572.1242643; Chuklin, Markov and de Rijke 2015,
--     section 4.3, doi:10.2200/S00654ED1V01Y201507ICR043
CREATE OR REPLACE MACRO examination(log, steps := 50, least_pages := 20) AS TABLE
WITH RECURSIVE _cells AS ( -- noqa: PRS
    SELECT
        _s.query_id,
        _s.doc_id,
        _s.position,
        count(*) AS pages,
        1e0 * sum(_s.clicked) AS clicks
    FROM shown(log) AS _s
    WHERE _s.doc_id IS NOT NULL
    GROUP BY _s.query_id, _s.doc_id, _s.position
),

_steps USING KEY (query_id, doc_id, position) AS (
    SELECT
        _c.query_id,
        _c.doc_id,
        _c.position,
        _c.pages,
        _c.clicks,
        5e-1 AS attraction,
        5e-1 AS examination,
        0 AS step
    FROM _cells AS _c
    INNER JOIN (
        SELECT
            _d.query_id,
            _d.doc_id
        FROM _cells AS _d
        GROUP BY _d.query_id, _d.doc_id
        HAVING count(*) > 1 AND sum(_d.pages) >= least_pages
    ) AS _k ON _c.query_id = _k.query_id AND _c.doc_id = _k.doc_id
    UNION ALL
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.position,
        _e.pages,
        _e.clicks,
        sum(_e.clicks + (_e.pages - _e.clicks) * unseen_chance(_e.attraction, _e.examination)) OVER _document
        / sum(_e.pages) OVER _document,
        sum(_e.clicks + (_e.pages - _e.clicks) * unseen_chance(_e.examination, _e.attraction)) OVER _position
        / sum(_e.pages) OVER _position,
        _e.step + 1
    FROM _steps AS _e
    WHERE _e.step < steps
    WINDOW
        _document AS (PARTITION BY _e.query_id, _e.doc_id),
        _position AS (PARTITION BY _e.position)
)

SELECT
    _e.position,
    max(_e.examination) / max(max(_e.examination)) OVER () AS examination,
    CAST(sum(_e.pages) AS BIGINT) AS pages,
    CAST(sum(_e.clicks) AS BIGINT) AS clicks
FROM _steps AS _e
GROUP BY _e.position;
