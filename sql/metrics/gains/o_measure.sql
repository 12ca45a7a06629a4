-- RR with graded relevance: the blended ratio of documents and gain at the first relevant document.
-- name: O
-- aliases: OMeasure
-- formula: (1 + β · gain) / (rank + β · ideal CG@rank) of the first relevant document
-- pyNTCIREVAL: OMeasure(beta={beta})
-- relation: cumulated
-- beta: number, 0 or more; how much gain counts beside documents, 0 gives RR
-- range: 0 to 1
-- empty: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD 48(SIG9)
CREATE OR REPLACE MACRO o_measure(j, beta := 1e0) AS
    coalesce(
        max(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1 AND j.hits = 1
                    THEN blended_ratio(1, j.own_gain, j.rank, j.ideal_cg, beta)
            END
        ),
        0e0
    );
CREATE OR REPLACE MACRO o_measure(qrels, run, beta := 1e0, gain := 'linear', rel := 1, gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, o_measure(j, beta := beta) AS o_measure
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
