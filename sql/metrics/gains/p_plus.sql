-- The blended ratio of documents and gain, averaged over the relevant documents down to the preferred rank: that of the first document of the highest gain retrieved.
-- name: PPlus
-- aliases: PPlusMeasure
-- formula: mean over relevant documents with rank ≤ r: (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank), r = preferred rank
-- pyNTCIREVAL: PPlusMeasure(beta={beta})
-- relation: cumulated
-- beta: number, 0 or more; how much gain counts beside documents
-- range: 0 to 1
-- empty: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD 48(SIG9)
CREATE OR REPLACE MACRO p_plus(j, beta := 1e0) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank <= j.preferred_rank AND j.relevant = 1
                    THEN blended_ratio(j.hits, j.cg, j.rank, j.ideal_cg, beta)
            END
        )
        / nullif(sum(CASE WHEN j.rank <= j.preferred_rank THEN j.relevant END), 0),
        0e0
    );
CREATE OR REPLACE MACRO p_plus(qrels, run, beta := 1e0, gain := 'linear', rel := 1, gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, p_plus(j, beta := beta) AS p_plus
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
