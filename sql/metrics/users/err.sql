-- The expected value of 1 / rank where a user stops who reads from the top until a document satisfies.
-- name: ERR, ERR@k
-- formula: Σ stop(i) · Π_{j<i} (1 − stop(j)) / i, stop = (2^relevance − 1) / 2^max_rel
-- ir_measures: ERR@{k}
-- gdeval: ERR@{k}
-- pyNTCIREVAL: ERR() with gain='linear'
-- elastic: expected_reciprocal_rank(maximum_relevance={max_rel}, k={k})
-- relation: cascade
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- discount: 'reciprocal', 'log', 'clipped' or 'none'; what stopping at a rank is worth: 1 / rank, 1 / log(rank + 1), 1 / log(rank) or 1 above rank base, or 1
-- base: number above 1; of the logarithm
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: the scale ends at 4 in gdeval, at 3 in Quepid, and at the highest grade of each query in rankeval (max_rel = NULL)
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033
CREATE OR REPLACE MACRO err(j, k := NULL, discount := 'reciprocal', base := 2) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) THEN j.reach * j.stop / rank_discount(j.rank, discount, base)
            END
        ) / sum(CASE WHEN j.ideal_rank = 1 THEN 1 END),
        0e0
    );
CREATE OR REPLACE MACRO err(
    qrels,
    run,
    k := NULL,
    discount := 'reciprocal',
    base := 2,
    max_rel := 4,
    gain := 'exponential',
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, gains := gains))
SELECT j.run_id, j.query_id, err(j, k := k, discount := discount, base := base) AS err
FROM cascade(_judged, max_rel := max_rel, gain := gain) AS j
GROUP BY j.run_id, j.query_id;
