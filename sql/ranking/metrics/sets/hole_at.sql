-- The share of the first k places taken by documents that are judged for no query at all.
-- name: Hole@k, Hole
-- formula: documents judged for no query@k / k
-- relation: annotated
-- k: 1 or more; cut-off rank, which divides even if fewer documents were retrieved. NULL uses the number retrieved
-- range: 0 to 1
-- no relevant: the share, as for other queries
-- differs: Unjudged@k also counts documents that are judged for other queries, but not for this one
-- source: BEIR (Thakur et al. 2021, arXiv:2104.08663)
CREATE OR REPLACE MACRO hole_at(j, k BIGINT := NULL) AS
    ratio(
        once_per_query(j, retrieved_at(k, j.num_ret)) - sum(CASE WHEN within_k(j.rank, k) THEN 1 ELSE 0 END),
        once_per_query(j, coalesce(k, j.num_ret))
    );
