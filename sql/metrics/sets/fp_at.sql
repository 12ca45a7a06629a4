-- The number of documents among the first k that are not judged relevant.
-- name: FP, FP@k
-- formula: min(k, retrieved) − relevant@k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to inf
-- empty: how many documents are among the first k
-- over queries: sum
-- differs: RecTools counts k documents as retrieved even when fewer were
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fp_at(j, k := NULL) AS
    1e0 * (
        sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END)
        - sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO fp_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, fp_at(j, k := k) AS fp_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
