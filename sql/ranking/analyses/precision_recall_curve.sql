-- Precision over recall: one point per relevant document retrieved, or interpolated at evenly spaced recall points.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- interpolated: whether to return, at recall points from 0 to 1, the highest precision at that recall or above
-- averaged: whether to average over queries, which implies interpolated
-- points: 2 or more; number of recall points; 11 means 0, 0.1 … 1
-- rounding: from 0 to 1; a recall point stands for floor(recall · R + rounding) relevant documents; 0.9 in trec_eval up
--     to version 9, 0.5 in version 10
-- rel: above 0; lowest relevance that counts as relevant
-- returns run_id, query_id: the ranking; query_id is 'all' when averaged
-- returns rank: rank of the relevant document; NULL when interpolated
-- returns recall: share of the relevant documents found so far
-- returns precision: share of the documents so far that are relevant; when interpolated, 0 where that recall is not
--     reached
-- example: qrels.csv bm25.csv neural.csv -o curve.svg
CREATE OR REPLACE MACRO precision_recall_curve(
    qrels, run, interpolated BOOLEAN := FALSE, averaged BOOLEAN := FALSE, points BIGINT := 11, rounding DOUBLE := 9e-1,
    rel DOUBLE := 1
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel))
SELECT
    _h.run_id,
    _h.query_id,
    _h.rank,
    1e0 * _h.hits / _h.num_rel AS recall,
    1e0 * _h.hits / _h.rank AS precision
FROM _judged AS _h
WHERE NOT interpolated AND NOT averaged AND _h.relevant = 1 AND _h.rank IS NOT NULL
UNION ALL
SELECT
    _p.run_id,
    CASE WHEN averaged THEN 'all' ELSE _p.query_id END AS query_id,
    NULL AS rank,
    _p.recall,
    exact_sum(_p.precision) / count(*) AS precision
FROM (
    SELECT
        _j.run_id,
        _j.query_id,
        1e0 * _s.step / (points - 1) AS recall,
        coalesce(max(
            CASE
                WHEN
                    _j.rank IS NOT NULL
                    AND _j.relevant = 1
                    AND _j.hits >= floor(1e0 * _s.step / (points - 1) * _j.num_rel + rounding)
                    THEN 1e0 * _j.hits / _j.rank
            END
        ), 0e0) AS precision
    FROM _judged AS _j
    CROSS JOIN range(0, points) AS _s (step)
    WHERE interpolated OR averaged
    GROUP BY _j.run_id, _j.query_id, _s.step
) AS _p
GROUP BY _p.run_id, CASE WHEN averaged THEN 'all' ELSE _p.query_id END, _p.recall
ORDER BY run_id ASC, query_id ASC, rank ASC NULLS LAST, recall ASC NULLS LAST;
