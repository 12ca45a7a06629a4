-- How much a query counts in the area under the curve of mean scores over shares of queries dropped: 0, 10, … 90%.
-- first, last: its places, from the one dropped first; the mean over them if it shares several
-- n: queries
CREATE OR REPLACE MACRO abstention_share(first, last, n) AS
    list_sum(list_transform(
        range(10),
        lambda step: CASE WHEN step IN (0, 9) THEN 5e-2 ELSE 1e-1 END / (n - dropped_queries(step, n))
        * greatest(last - greatest(dropped_queries(step, n), first - 1e0), 0e0) / (last - first + 1)
    ));
