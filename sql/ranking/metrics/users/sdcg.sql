-- The gain per document seen by a user who looks at the first k documents, with a lower probability at each rank:
--     scaled DCG.
-- name: SDCG, SDCG@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = 1 / log2(i + 1), continues with C(i) = log(i + 1) / log(i + 2)
--     for i < k
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: nDCG divides by the DCG of the ideal ranking, SDCG by that of k documents with the highest gain; ir_measures
--     caps a relevance above max_rel, which is an error here
-- not: sDCG, the DCG of sessions
-- source: Moffat et al. 2017, doi:10.1145/3052768; Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418
CREATE OR REPLACE MACRO sdcg(j, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k, 'log');
