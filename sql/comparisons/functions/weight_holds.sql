-- TRUE, or an error about a weight that is below 0, no finite number, or not there.
-- weight: how much the query counts, or NULL
-- others: NULL if no query has a weight
-- query_id: the query
CREATE OR REPLACE MACRO weight_holds(weight, others, query_id) AS
    must_hold(
        CASE
            WHEN weight IS NULL AND others IS NOT NULL
                THEN concat('query ', query_id, ' has no weight; give each query one')
            WHEN weight IS NOT NULL AND (weight < 0 OR NOT isfinite(weight))
                THEN concat('weight must be 0 or more, not ', weight, ' for query ', query_id)
        END
    );
