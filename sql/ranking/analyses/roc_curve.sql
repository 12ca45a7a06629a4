-- The ROC curve: the share of relevant documents found against the share of non-relevant ones, down the ranking.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: above 0; lowest relevance that counts as relevant
-- returns run_id, query_id: the ranking
-- returns rank: one point per score of a judged document: the last rank with that score; 0 at the start, NULL at the
--     end for judged documents that were not retrieved
-- returns fpr: false-positive rate: share of the documents judged not relevant that were found so far; NULL if there
--     are none
-- returns tpr: true-positive rate: share of the relevant documents that were found so far; NULL if there are none
-- example: qrels.csv bm25.csv neural.csv
CREATE OR REPLACE MACRO roc_curve(qrels, run, rel DOUBLE := 1) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel))
SELECT
    _p.run_id,
    _p.query_id,
    _p.rank,
    1e0 * max(_p.false_positives) / nullif(max(_p.num_nonrel), 0) AS fpr,
    1e0 * max(_p.hits) / nullif(max(_p.num_rel), 0) AS tpr
FROM (
    SELECT
        _o.run_id,
        _o.query_id,
        0 AS rank,
        0 AS hits,
        0 AS false_positives,
        _o.num_rel,
        _o.num_nonrel
    FROM _judged AS _o
    UNION ALL
    SELECT
        _j.run_id,
        _j.query_id,
        _j.last_rank AS rank,
        CASE WHEN _j.rank IS NULL THEN _j.num_rel ELSE _j.hits_above + _j.hits_tied END AS hits,
        CASE
            WHEN _j.rank IS NULL THEN _j.num_nonrel
            ELSE _j.false_positives_above + _j.false_positives_tied
        END AS false_positives,
        _j.num_rel,
        _j.num_nonrel
    FROM _judged AS _j
    WHERE _j.relevance >= 0
) AS _p
GROUP BY _p.run_id, _p.query_id, _p.rank
ORDER BY run_id ASC, query_id ASC, rank ASC NULLS LAST, fpr ASC NULLS LAST;
