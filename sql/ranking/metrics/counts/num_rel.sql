-- The number of relevant documents, retrieved or not.
-- name: NumRel
-- formula: R
-- relation: judged(rel)
-- range: 0 to inf
-- no relevant: 0
-- aggregate: sum
-- source: trec_eval with option -c; without it, as in ir_measures, unanswered queries add nothing
CREATE OR REPLACE MACRO num_rel(j) AS
    1e0 * sum(j.relevant);
