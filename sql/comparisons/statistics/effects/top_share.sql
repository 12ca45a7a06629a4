-- The share of the whole gain that the queries with the largest gains bring: above 1 if the rest loses.
-- relation: paired
-- share: between 0 and 1; the share of the queries, rounded up
-- formula: Σ of the ⌈share · n⌉ largest differences / Σ difference; NULL if that is 0
CREATE OR REPLACE MACRO top_share(p, share DOUBLE := 1e-1) AS
    CASE
        WHEN abs(avg(p.difference)) > 1e-12 * max(p.scale)
            -- 0.07 · 100 is 7, and a little more as floating-point numbers
            THEN list_sum(list_reverse_sort(list(p.difference))[1:CAST(ceil(share * count(*) * (1 - 1e-12)) AS BIGINT)])
                / sum(p.difference)
    END;
