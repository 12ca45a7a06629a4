-- The gain per document seen by a user who wants a gain of T, and is more likely to continue further down.
-- name: INSQ, INSQ@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = (2T / (i − 1 + 2T))², continues with C(i) = ((i − 1 + 2T) / (i
--     + 2T))²
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- T: above 0; total gain the user wants
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: ir_measures caps a relevance above max_rel, which is an error here
-- source: Moffat et al. 2012, doi:10.1145/2407085.2407092
CREATE OR REPLACE MACRO insq(j, T DOUBLE := 1, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k, 'squared', x := T, goes_on := TRUE);
