-- The blended ratio of documents and gain at the preferred rank: that of the first retrieved document with the highest
--     gain.
-- name: PMeasure
-- formula: (relevant@r + β · CG@r) / (r + β · ideal CG@r), r = preferred rank
-- relation: cumulated(gain, rel, gains)
-- beta: 0 or more; weight of gain relative to documents
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD
--     48(SIG9)
CREATE OR REPLACE MACRO p_measure(j, beta DOUBLE := 1e0) AS
    coalesce(max(CASE WHEN j.rank = j.preferred_rank THEN blended_ratio(j, beta) END), 0e0);
