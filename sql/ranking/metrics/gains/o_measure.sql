-- RR with graded relevance: the blended ratio of documents and gain at the first relevant document.
-- name: O
-- aliases: OMeasure
-- formula: (1 + β · gain) / (rank + β · ideal CG@rank) of the first relevant document
-- relation: cumulated(gain, rel, gains)
-- beta: 0 or more; weight of gain relative to documents; 0 gives RR
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD
--     48(SIG9)
CREATE OR REPLACE MACRO o_measure(j, beta DOUBLE := 1e0) AS
    coalesce(
        max(
            CASE
                WHEN j.relevant = 1 AND j.hits = 1
                    THEN (1e0 + beta * j.own_gain) / (j.rank + beta * j.ideal_cg)
            END
        ),
        0e0
    );
