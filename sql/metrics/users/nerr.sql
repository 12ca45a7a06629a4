-- ERR over that of the best ranking possible, all judged documents by relevance.
-- name: nERR, nERR@k
-- formula: ERR@k / ideal ERR@k
-- pyNTCIREVAL: nERR(cutoff={k}) with gain='linear'
-- relation: cascade
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- discount: 'reciprocal', 'log', 'clipped' or 'none'; what stopping at a rank is worth: 1 / rank, 1 / log(rank + 1), 1 / log(rank) or 1 above rank base, or 1
-- base: number above 1; of the logarithm
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- source: Sakai and Song 2011, doi:10.1145/2009916.2010055; Chapelle et al. 2009, doi:10.1145/1645953.1646033
CREATE OR REPLACE MACRO nerr(j, k := NULL, discount := 'reciprocal', base := 2) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) THEN j.reach * j.stop / rank_discount(j.rank, discount, base)
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank <= coalesce(k, j.ideal_rank)
                    THEN j.ideal_reach * j.stop / rank_discount(j.ideal_rank, discount, base)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO nerr(
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
SELECT j.run_id, j.query_id, nerr(j, k := k, discount := discount, base := base) AS nerr
FROM cascade(_judged, max_rel := max_rel, gain := gain) AS j
GROUP BY j.run_id, j.query_id;
