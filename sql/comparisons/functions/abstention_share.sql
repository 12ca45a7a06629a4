-- How much a query counts in the area under the curve of mean scores over shares of queries dropped: 0, 10, … 90%.
-- first, last: its places, from the one dropped first; the mean over them if it shares several
-- n: queries
CREATE OR REPLACE MACRO abstention_share(first, last, n) AS
    list_sum(list_transform(
        range(10),
        lambda step: let(
            least(round_even(step * 1e-1 * n, 0), n - 1),
            lambda dropped: CASE WHEN step IN (0, 9) THEN 5e-2 ELSE 1e-1 END / (n - dropped)
            * greatest(last - greatest(dropped, first - 1), 0e0) / (last - first + 1)
        )
    ));
