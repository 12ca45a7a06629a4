-- AP with graded relevance: the blended ratio of documents and gain at each relevant document, averaged over all relevant ones.
-- name: Q, Q@k
-- aliases: QMeasure
-- formula: Σ over relevant documents in the first k: (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank) / min(R, k)
-- pyNTCIREVAL: QMeasure(beta={beta}); QMeasure(beta={beta}, cutoff={k})
-- relation: cumulated
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- beta: number, 0 or more; how much gain counts beside documents, 0 gives AP
-- range: 0 to 1
-- empty: 0
-- source: Sakai 2004, New Performance Metrics based on Multigrade Relevance, NTCIR-4
CREATE OR REPLACE MACRO q_measure(j, k := NULL, beta := 1e0) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1
                    THEN blended_ratio(j.hits, j.cg, j.rank, j.ideal_cg, beta)
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank = 1 AND j.num_rel > k THEN k
                WHEN j.ideal_rank = 1 THEN j.num_rel
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO q_measure(
    qrels, run, k := NULL, beta := 1e0, gain := 'linear', rel := 1, gains := NULL
) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, q_measure(j, k := k, beta := beta) AS q_measure
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
