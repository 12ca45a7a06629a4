-- What a release changes, without judgments: queries and documents.
-- baseline: as for changed_queries
-- run: as for changed_queries
-- topics: optional; as for changed_queries: with weights, shares and means are of traffic
-- k: as for changed_queries
-- p: as for changed_queries
-- returns run_id: one row each
-- returns queries: number of queries that it or the baseline answers
-- returns changed: share of queries whose first k are other documents, or in another order
-- returns documents_changed: share whose first k have another document
-- returns first_changed: share whose first document is another one
-- returns overlap: mean of the documents that both have among the first k, as a share of the longer list
-- returns rbo: mean rank-biased overlap of the first k, extrapolated: 1 if nothing changed, 0 if nothing is shared
-- returns came, went: mean number of documents that are among the first k now and were not, and the other way round
-- returns note: how many queries only one of the two answers: of these, all documents came or went
-- source: Webber, Moffat and Zobel 2010, doi:10.1145/1852102.1852106
-- example: old.csv new.csv --k 10
CREATE OR REPLACE MACRO run_differences(baseline, run, topics, k BIGINT := 10, p DOUBLE := 9e-1) AS TABLE
SELECT
    _q.run_id,
    count(*) AS queries,
    rate(exact_sum(CASE WHEN _q.changed THEN _q.weight ELSE 0e0 END), exact_sum(_q.weight)) AS changed,
    rate(
        exact_sum(CASE WHEN _q.came + _q.went > 0 THEN _q.weight ELSE 0e0 END),
        exact_sum(_q.weight)
    ) AS documents_changed,
    rate(
        exact_sum(CASE WHEN _q.first_before IS DISTINCT FROM _q.first_after THEN _q.weight ELSE 0e0 END),
        exact_sum(_q.weight)
    ) AS first_changed,
    rate(exact_sum(_q.weight * _q.overlap), exact_sum(_q.weight)) AS overlap,
    rate(exact_sum(_q.weight * _q.rbo), exact_sum(_q.weight)) AS rbo,
    rate(exact_sum(_q.weight * _q.came), exact_sum(_q.weight)) AS came,
    rate(exact_sum(_q.weight * _q.went), exact_sum(_q.weight)) AS went,
    CASE
        WHEN count(CASE WHEN _q.first_before IS NULL OR _q.first_after IS NULL THEN 1 END) > 0
            THEN concat(
                'answered by the baseline only: ', count(CASE WHEN _q.first_after IS NULL THEN 1 END),
                ', by this run only: ', count(CASE WHEN _q.first_before IS NULL THEN 1 END)
            )
    END AS note
FROM changed_queries(baseline, run, topics, k := k, p := p, queries := 'all') AS _q
GROUP BY _q.run_id
ORDER BY _q.run_id ASC;
