-- The share of the first k documents that have a judgment.
-- name: Judged@k, Judged
-- formula: judged@k / min(k, retrieved)
-- ir_measures: Judged; Judged@{k}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking. Fewer documents retrieved divide by their number
-- range: 0 to 1
-- empty: 0 when nothing was retrieved
-- source: ir_measures, which counts a relevance below 0 as judged; here and in trec_eval it is not
CREATE OR REPLACE MACRO judged_at(j, k := NULL) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevance >= 0 THEN 1 ELSE 0 END)
        / nullif(CASE WHEN k < max(j.num_ret) THEN k ELSE max(j.num_ret) END, 0),
        0e0
    );
CREATE OR REPLACE MACRO judged_at(qrels, run, k := NULL) AS TABLE
SELECT j.run_id, j.query_id, judged_at(j, k := k) AS judged_at
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
