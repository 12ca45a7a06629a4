-- Judgments from a click log: as `evaluate` takes them, for gains (nDCG), or with the share from which documents
--     are relevant (P(rel=0.2)@10).
-- log: as for clicked
-- model: 'coec', 'sdbn', 'dcm' or 'pbm'; clicks over expected clicks, those of other documents at the same positions;
--     the simplified dynamic Bayesian network, from the documents down to the last click; the dependent click model,
--     the same without satisfaction; or the position-based model, clicks over examination
-- smoothing: 0 or more; shrinks estimates from few impressions towards 1 (coec) or a half (the others), as if
--     each outcome had been seen this many more times; 0 turns it off
-- steps, least_pages: as for examination
-- empty: {log} shows no documents that could be judged by the model {model}; pbm learns from documents on {least_pages}
--     or more pages at several positions: lower least_pages, or use another model
-- returns query_id, doc_id: one row each
-- returns relevance: a share from 0 to 1; by coec a ratio, 1 as expected
-- returns pages: on how many pages it was seen, from which the relevance is estimated
-- returns clicks: on how many of these it was clicked
-- returns attraction, satisfaction: by sdbn, the factors of the relevance; else NULL
-- source: Zhang and Jones 2007, doi:10.1145/1242572.1242746; Chapelle and Zhang 2009, doi:10.1145/1526709.1526711; Guo,
--     Liu and Wang 2009, doi:10.1145/1498759.1498818; Joachims, Swaminathan and Schnabel 2017,
--     doi:10.1145/3018661.3018699
-- example: log.csv --model pbm --least-pages 4 -o qrels.csv
CREATE OR REPLACE MACRO judge(
    log, model VARCHAR := 'coec', smoothing DOUBLE := 1, steps BIGINT := 50, least_pages BIGINT := 20
) AS TABLE
SELECT
    _c.query_id,
    _c.doc_id,
    _c.relevance,
    _c.pages,
    _c.clicks,
    CAST(NULL AS DOUBLE) AS attraction,
    CAST(NULL AS DOUBLE) AS satisfaction
FROM judged_by_coec(log, smoothing := smoothing) AS _c
WHERE model = 'coec'
UNION ALL
SELECT
    _s.query_id,
    _s.doc_id,
    _s.relevance,
    _s.pages,
    _s.clicks,
    _s.attraction,
    _s.satisfaction
FROM judged_by_sdbn(log, smoothing := smoothing) AS _s
WHERE model = 'sdbn'
UNION ALL
SELECT
    _d.query_id,
    _d.doc_id,
    _d.relevance,
    _d.pages,
    _d.clicks,
    CAST(NULL AS DOUBLE) AS attraction,
    CAST(NULL AS DOUBLE) AS satisfaction
FROM judged_by_dcm(log, smoothing := smoothing) AS _d
WHERE model = 'dcm'
UNION ALL
SELECT
    _p.query_id,
    _p.doc_id,
    _p.relevance,
    _p.pages,
    _p.clicks,
    CAST(NULL AS DOUBLE) AS attraction,
    CAST(NULL AS DOUBLE) AS satisfaction
FROM judged_by_pbm(log, smoothing := smoothing, steps := steps, least_pages := least_pages) AS _p
WHERE model = 'pbm'
ORDER BY query_id ASC NULLS LAST, doc_id ASC NULLS LAST;
