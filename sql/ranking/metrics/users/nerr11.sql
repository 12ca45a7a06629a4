-- The gain per document seen by a user who stops at a document with the probability of its gain, and otherwise
--     continues as in INSQ.
-- name: NERR11, NERR11@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = Π_{j<i} (1 − gain(j)) · (2T / (i − 1 + 2T))², continues with
--     C(i) = ((i − 1 + 2T) / (i + 2T))² · (1 − gain(i))
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- T: above 0; total gain the user wants
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: ERR sums 1 / rank over the ranks where users stop, and is not a gain per document; ir_measures caps a
--     relevance above max_rel, which is an error here
-- source: Azzopardi et al. 2021, ERR is not C/W/L, doi:10.1145/3471158.3472239, equation 11
CREATE OR REPLACE MACRO nerr11(j, T DOUBLE := 1, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    cascade_user(j, measure, k, 'squared', x := T, goes_on := TRUE);
