-- The number of queries.
-- name: NumQ
-- formula: queries
-- relation: judged
-- judgments: any
-- range: 0 to inf
-- no relevant: 1: the query still counts
-- aggregate: sum
-- source: trec_eval with option -c; without it, unanswered queries do not count
CREATE OR REPLACE MACRO num_q(j) AS
    once_per_query(j, 1e0);
