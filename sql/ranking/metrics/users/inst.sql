-- The gain per document seen by a user who wants a gain of T, and is less likely to continue the closer it is.
-- name: INST, INST@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), continues with C(i) = ((i − 1 + T + T(i)) / (i + T + T(i)))², T(i) = T −
--     Σ_{j≤i} gain(j)
-- relation: inst_user(T, k, min_rel, max_rel, unjudged, rel, gains)
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: ir_measures caps a relevance above max_rel, which is an error here
-- source: Moffat et al. 2015, doi:10.1145/2838931.2838938
CREATE OR REPLACE MACRO inst(j, measure VARCHAR := 'utility') AS
    adaptive_user(j, measure);
