-- The blended ratio of documents and gain at the preferred rank: that of the first document of the highest gain retrieved.
-- name: PMeasure
-- formula: (relevant@r + β · CG@r) / (r + β · ideal CG@r), r = preferred rank
-- pyNTCIREVAL: PMeasure(beta={beta})
-- relation: cumulated
-- beta: number, 0 or more; how much gain counts beside documents
-- range: 0 to 1
-- empty: 0
-- source: Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document, IPSJ TOD 48(SIG9)
CREATE OR REPLACE MACRO p_measure(j, beta := 1e0) AS
    coalesce(
        max(CASE WHEN j.rank = j.preferred_rank THEN blended_ratio(j.hits, j.cg, j.rank, j.ideal_cg, beta) END),
        0e0
    );
CREATE OR REPLACE MACRO p_measure(qrels, run, beta := 1e0, gain := 'linear', rel := 1, gains := NULL) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, p_measure(j, beta := beta) AS p_measure
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
