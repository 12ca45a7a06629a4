-- The share of the first k places that documents without judgment take up.
-- name: Unjudged@k, Unjudged
-- formula: unjudged@k / k
-- in trec_eval: unj_{k} by 5, 10, 20
-- in beir: Hole@{k}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, which divides even when fewer documents were retrieved. NULL takes
--     all that were
-- range: 0 to 1
-- no relevant: the share all the same
-- differs: BEIR's and mteb's Hole@k does not count documents that have a judgment for another query
-- source: trec_eval 10
CREATE OR REPLACE MACRO unjudged_at(j, k := NULL) AS
    ratio(
        per_query(j, retrieved_at(k, j.num_ret)) - num_judged(j, k),
        per_query(j, coalesce(k, j.num_ret))
    );
