-- TRUE, or an error about a weight that is below 0 or no finite number.
-- weight: how much the query counts, or NULL
-- query_id: the query
CREATE OR REPLACE MACRO weight_holds(weight, query_id) AS
    must_hold(
        CASE
            WHEN weight IS NOT NULL AND (weight < 0 OR NOT isfinite(weight))
                THEN concat('weight must be 0 or more, not ', weight, ' for query ', query_id)
        END
    );
