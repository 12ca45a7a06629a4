-- How likely users are to look at each position: by the position-based model, a document is clicked if it is looked at,
--     which depends on the position, and if it attracts, which depends on the query and the document. By expectation
--     maximisation over documents that were shown at several positions, since only they separate the two.
-- log: as for clicked
-- steps: 1 or more; EM iterations
-- least_pages: 2 or more; documents on fewer pages are left out, as too little is known about each
-- refuses: unusable_clicks, mixed_pages, repeated_positions
-- empty: {log} has no document on {least_pages} or more pages at several positions; lower least_pages
-- returns position: one row each, of those where such documents were shown
-- returns examination: relative to the position that is looked at most, 0 to 1
-- returns pages: those with such a document at the position
-- returns clicks: those on these documents
-- source: Richardson, Dominowska and Ragno 2007, doi:10.1145/1242572.1242643; Chuklin, Markov and de Rijke 2015,
--     section 4.3, doi:10.2200/S00654ED1V01Y201507ICR043
-- example: log.csv --least-pages 4 -o examination.csv
CREATE OR REPLACE MACRO examination(log, steps BIGINT := 50, least_pages BIGINT := 20) AS TABLE
WITH _cells AS (
    SELECT
        dense_rank() OVER (ORDER BY _s.query_id ASC, _s.doc_id ASC) AS document,
        _s.position,
        _s.pages,
        1e0 * _s.clicks AS clicks
    FROM shown_counts(log) AS _s
),

_kept AS (
    SELECT _c.*
    FROM _cells AS _c
    INNER JOIN (
        SELECT _d.document
        FROM _cells AS _d
        GROUP BY _d.document
        HAVING count(*) > 1 AND sum(_d.pages) >= least_pages
    ) AS _k ON _c.document = _k.document
)

SELECT
    _e.position,
    max(_e.examination) / max(max(_e.examination)) OVER () AS examination,
    CAST(sum(_e.pages) AS BIGINT) AS pages,
    CAST(sum(_e.clicks) AS BIGINT) AS clicks
FROM learned_clicks(_kept, steps) AS _e
GROUP BY _e.position
ORDER BY position ASC NULLS LAST;
