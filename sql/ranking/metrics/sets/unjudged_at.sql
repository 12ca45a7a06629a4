-- The share of the first k places taken by unjudged documents.
-- name: Unjudged@k, Unjudged
-- formula: unjudged@k / k
-- relation: judged
-- k: 1 or more; cut-off rank, which divides even if fewer documents were retrieved. NULL uses the number retrieved
-- range: 0 to 1
-- no relevant: the share, as for other queries
-- differs: BEIR's and mteb's Hole@k counts only documents that are judged for no query at all, so it is lower where a
--     document retrieved for one query is judged for another
-- source: trec_eval 10
CREATE OR REPLACE MACRO unjudged_at(j, k BIGINT := NULL) AS
    ratio(
        once_per_query(j, retrieved_at(k, j.num_ret)) - num_judged(j, k),
        once_per_query(j, coalesce(k, j.num_ret))
    );
