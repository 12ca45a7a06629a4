-- Whether runs follow changed instructions: whether documents that these exclude move down (p-MRR).
-- changed: table or file with the documents that are no longer relevant, by query: judgments, whose relevance does not
--     count
-- baseline: table or file of documents retrieved with the old instructions, by one run
-- run: as for judged; documents retrieved with the new ones. Queries have the same ids in both
-- empty: no query of the changed documents is in the baseline and a run
-- returns run_id: one row each
-- returns queries: how many have such documents, and are in both runs
-- returns documents: how many were looked at; one that is not retrieved is after the last one
-- returns p_mrr: the mean over queries: 1 if all moved from the top to the end, -1 if they moved up as far, 0 if none
--     moved
-- source: Weller et al. 2024, arXiv:2403.15246
-- example: changed.csv original.csv instructed.csv
CREATE OR REPLACE MACRO p_mrr(changed, baseline, run) AS TABLE
SELECT
    _q.run_id,
    count(*) AS queries,
    CAST(sum(_q.documents) AS BIGINT) AS documents,
    exact_sum(_q.p_mrr) / count(*) AS p_mrr
FROM (
    SELECT
        _m.run_id,
        _m.query_id,
        count(*) AS documents,
        query_p_mrr(_m) AS p_mrr
    FROM moved(changed, baseline, run) AS _m
    GROUP BY _m.run_id, _m.query_id
) AS _q
GROUP BY _q.run_id
ORDER BY run_id ASC;
