-- The number of documents retrieved that were judged not relevant.
-- name: NumNonRelRet
-- formula: documents judged not relevant retrieved
-- in trec_eval: num_nonrel_judged_ret
-- relation: judged(rel)
-- range: 0 to inf
-- no relevant: the number retrieved all the same
-- aggregate: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_nonrel_ret(j) AS
    1e0 * judged_fp(j, NULL);
