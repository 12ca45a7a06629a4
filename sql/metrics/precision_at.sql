-- The share of the first k documents that are relevant.
-- name: P@k, SetP
-- aliases: Precision
-- trec_eval: P_k, set_P
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, and the divisor even when fewer documents were retrieved. NULL takes and divides by all that were retrieved
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO precision_at(j, k := NULL) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(coalesce(k, max(j.num_ret)), 0),
        0e0
    );
CREATE OR REPLACE MACRO precision_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, precision_at(j, k := k) AS precision_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
