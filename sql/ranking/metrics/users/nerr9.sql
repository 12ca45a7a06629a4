-- The gain per document seen by a user who stops at a document with the probability of its gain, otherwise continues
--     with probability i / (i + 1), and stops at rank k at the latest.
-- name: NERR9, NERR9@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = Π_{j<i} (1 − gain(j)) / i, continues with C(i) = i / (i + 1) ·
--     (1 − gain(i)) for i < k
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: ERR sums 1 / rank over the ranks where users stop, and is not a gain per document; ir_measures caps a
--     relevance above max_rel, which is an error here
-- source: Azzopardi et al. 2021, ERR is not C/W/L, doi:10.1145/3471158.3472239, equation 9
CREATE OR REPLACE MACRO nerr9(j, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    cascade_user(j, measure, k, 'reciprocal');
