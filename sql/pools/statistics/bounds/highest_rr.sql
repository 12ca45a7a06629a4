-- The highest RR: the first unjudged document is relevant.
-- relation: bounded
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- formula: 1 / rank of the first document that is relevant or unjudged
-- range: 0 to 1
CREATE OR REPLACE MACRO highest_rr(b, k BIGINT := NULL) AS
    coalesce(
        1e0 / min(CASE WHEN within_k(b.rank, k) AND coalesce(b.relevant, b.top_relevant) = 1 THEN b.rank END), 0e0
    );
