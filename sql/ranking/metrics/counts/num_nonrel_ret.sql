-- The number of retrieved documents that are judged not relevant.
-- name: NumNonRelRet
-- formula: retrieved documents that are judged not relevant
-- relation: judged(rel)
-- range: 0 to inf
-- better: lower
-- no relevant: the number retrieved, as for other queries
-- aggregate: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_nonrel_ret(j) AS
    1e0 * judged_fp(j, NULL);
