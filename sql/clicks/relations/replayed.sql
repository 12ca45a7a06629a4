-- The clicks of a log, each with the rank that runs give the document, and weighted by how likely users were to look at
--     its position: what users would have clicked, had they been shown the run.
-- log: as for clicked
-- run: as for judged; retrieved documents
-- examination: table or file with position and examination, such as the rows of examination
-- clip: 1 or more; highest weight of a click
-- refuses: unusable_clicks, mixed_pages, repeated_positions, unusable_documents, repeated_documents,
--     repeated_examination, unknown_examination
-- groups: run_id
-- pages: page_rows
-- returns run_id, page_id, query_id, doc_id: one row for each run and click, and at least one for each run and page
-- returns clicked: 1, or 0 for a page without clicks
-- returns rank: of the document by the run; NULL if it was not retrieved
-- returns weight: 1 / examination, at most clip; 0 without a click
-- returns is_page: 1 in one row of each page, else 0
-- returns page_rows: the number of rows of the page in that row, 0 in the others
-- source: Joachims, Swaminathan and Schnabel 2017, doi:10.1145/3018661.3018699
CREATE OR REPLACE MACRO replayed(log, run, examination, clip DOUBLE := 100) AS TABLE
SELECT
    _n.run_id,
    _c.page_id,
    _c.query_id,
    _c.doc_id,
    coalesce(_c.clicked, 0) AS clicked,
    _r.rank,
    CASE
        WHEN coalesce(_c.clicked, 0) <> 1 THEN 0e0
        WHEN _e.examination * clip <= 1 THEN 1e0 * clip
        ELSE 1e0 / _e.examination
    END AS weight,
    CASE WHEN _c.page_rows > 0 THEN 1 ELSE 0 END AS is_page,
    CASE WHEN _c.page_rows > 0 THEN count(*) OVER (PARTITION BY _n.run_id, _c.page_id) ELSE 0 END AS page_rows
FROM clicked(log) AS _c
CROSS JOIN (SELECT DISTINCT _d.run_id FROM retrieved(run) AS _d) AS _n
LEFT JOIN query_table(examination) AS _e ON _c.position = _e.position
LEFT JOIN (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        row_number() OVER (
            PARTITION BY _d.run_id, _d.query_id ORDER BY _d.score DESC NULLS LAST, _d.doc_id DESC NULLS LAST
        ) AS rank
    FROM retrieved(run) AS _d
) AS _r ON _n.run_id = _r.run_id AND _c.query_id = _r.query_id AND _c.doc_id = _r.doc_id
WHERE _c.clicked = 1 OR _c.page_rows > 0;
