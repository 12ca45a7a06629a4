-- The number of queries.
-- name: NumQ
-- formula: queries
-- in trec_eval: num_q
-- in ir_measures: NumQ
-- relation: judged
-- judgments: any
-- range: 0 to inf
-- no relevant: 1, since the query counts
-- aggregate: sum
-- source: trec_eval, with its option -c; without it, queries without answer do not count
CREATE OR REPLACE MACRO num_q(j) AS
    per_query(j, 1e0);
