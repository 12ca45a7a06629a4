-- The gain per document seen by a user whose interest falls at a fixed rate from document to document: net present
--     value.
-- name: NPV, NPV@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = (1 + rate)^(1 − i), continues with C(i) = 1 / (1 + rate)
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- rate: above 0; how much more a gain is worth now than one document later
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: this is RBP with p = 1 / (1 + rate), divided by the sum of its weights down to rank k, as RBP is in cwl_eval
-- source: Azzopardi et al. 2019, doi:10.1145/3331184.3331398, and its tool cwl_eval
CREATE OR REPLACE MACRO npv(j, rate DOUBLE := 1e-1, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k, 'geometric', x := 1e0 / (1e0 + rate), goes_on := TRUE);
