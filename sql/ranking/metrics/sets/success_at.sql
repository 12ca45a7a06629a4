-- 1 if a relevant document is among the first k, else 0.
-- name: Success@k, Success
-- aliases: Hit; HitRate; HR
-- formula: 1 if relevant@k > 0 else 0
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to 1
-- no relevant: 0
-- source: Craswell and Hawking 2004, Overview of the TREC-2004 Web Track
-- most used: 6
CREATE OR REPLACE MACRO success_at(j, k BIGINT := NULL) AS
    1e0 * max(CASE WHEN within_k(j.rank, k) THEN j.relevant ELSE 0 END);
