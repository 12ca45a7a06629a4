-- The highest Success@k: an unjudged document is relevant.
-- relation: bounded
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- formula: 1 if relevant@k + unjudged@k > 0 else 0
-- range: 0 to 1
CREATE OR REPLACE MACRO highest_success_at(b, k BIGINT := NULL) AS
    1e0 * max(CASE WHEN within_k(b.rank, k) THEN coalesce(b.relevant, b.top_relevant) ELSE 0 END);
