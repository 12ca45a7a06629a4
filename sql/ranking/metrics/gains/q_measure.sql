-- AP with graded relevance: the blended ratio of documents and gain at each relevant document, averaged over all
--     relevant documents.
-- name: Q, Q@k
-- aliases: QMeasure
-- formula: Σ over relevant documents in the first k: (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank) /
--     min(R, k)
-- relation: cumulated(gain, rel, gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- beta: 0 or more; weight of gain relative to documents; 0 gives AP
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai 2004, New Performance Metrics based on Multigrade Relevance, NTCIR-4
CREATE OR REPLACE MACRO q_measure(j, k BIGINT := NULL, beta DOUBLE := 1e0) AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN blended_ratio(j, beta) END),
        once_per_query(j, CASE WHEN j.num_rel > k THEN k ELSE j.num_rel END)
    );
