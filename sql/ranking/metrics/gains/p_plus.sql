-- The blended ratio of documents and gain, averaged over the relevant documents down to the preferred rank: that of the
--     first retrieved document with the highest gain.
-- name: PPlus
-- aliases: PPlusMeasure
-- formula: mean over relevant documents with rank ≤ r: (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank), r =
--     preferred rank
-- relation: cumulated(gain, rel, gains)
-- beta: 0 or more; weight of gain relative to documents
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD
--     48(SIG9)
CREATE OR REPLACE MACRO p_plus(j, beta DOUBLE := 1e0) AS
    ratio(
        exact_sum(CASE WHEN j.rank <= j.preferred_rank AND j.relevant = 1 THEN blended_ratio(j, beta) END),
        sum(CASE WHEN j.rank <= j.preferred_rank THEN j.relevant END)
    );
