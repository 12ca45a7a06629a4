-- A value that is the same in all rows of a query, once per query.
-- j: rows of judged
-- value: value of the query
CREATE OR REPLACE MACRO once_per_query(j, value) AS sum(CASE WHEN j.ideal_rank = 1 THEN value END);
