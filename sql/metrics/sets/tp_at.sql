-- The number of relevant documents among the first k.
-- name: TP, TP@k
-- formula: relevant@k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to inf
-- empty: 0
-- over queries: sum
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO tp_at(j, k := NULL) AS
    1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END);
CREATE OR REPLACE MACRO tp_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, tp_at(j, k := k) AS tp_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
