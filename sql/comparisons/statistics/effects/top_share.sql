-- The share of the whole gain that the queries with the largest gains bring: above 1 if the rest loses.
-- relation: paired
-- share: between 0 and 1; the share of the queries, rounded up
-- formula: Σ of the ⌈share · n⌉ largest differences / Σ difference; NULL if that is 0
CREATE OR REPLACE MACRO top_share(p, share DOUBLE := 1e-1) AS
    CASE
        WHEN abs(avg(p.difference)) > 1e-12 * max(p.scale)
            THEN list_sum(list_reverse_sort(list(p.difference))[1:CAST(ceil(share * count(*)) AS BIGINT)])
                / sum(p.difference)
    END;
