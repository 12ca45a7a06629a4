-- Precision over recall: a point for each relevant document retrieved, or interpolated at evenly spaced recalls.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- interpolated: TRUE or FALSE; whether to give, for recalls from 0 to 1, the highest precision at that recall or more
-- averaged: TRUE or FALSE; whether to average over queries, which takes interpolated precision
-- points: whole number, 2 or more; how many recalls, 11 are 0, 0.1 … 1
-- rounding: number from 0 to 1; recall · R + rounding, without its fraction, is how many relevant documents a recall
--     stands for: 0.9 in trec_eval to version 9, 0.5 in version 10
-- rel: number above 0; relevance from which a document counts as relevant
-- returns run_id, query_id: of the ranking; query_id is 'all' when averaged
-- returns rank: of the relevant document; NULL when interpolated
-- returns recall: share of the relevant documents
-- returns precision: share of the documents so far that are relevant; interpolated, 0 where that recall is not reached
CREATE OR REPLACE MACRO precision_recall_curve(
    qrels, run, interpolated := FALSE, averaged := FALSE, points := 11, rounding := 9e-1, rel := 1
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
    total(_p.precision) / count(*) AS precision
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
    CROSS JOIN (SELECT unnest(range(0, points)) AS step) AS _s
    WHERE interpolated OR averaged
    GROUP BY _j.run_id, _j.query_id, _s.step
) AS _p
GROUP BY _p.run_id, CASE WHEN averaged THEN 'all' ELSE _p.query_id END, _p.recall;
