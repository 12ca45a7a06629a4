-- The gain per document seen by users who stop at a constant rate down to rank L: the U-measure, per unit of text.
-- name: U, U@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = max(0, 1 − (i − 1) / L) for i < k, each document having a
--     length of 1
-- aliases: U_measure
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- L: above 0; length of text after which nobody is left
-- k: 2 or more; number of ranks, as for cwl_stretches; nobody looks at the last
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: Sakai and Dou sum the gains without dividing, and use the position of each in the text; this is cwl_eval's
--     version without a cost file, which gives the last of its 1000 ranks no weight
-- source: Sakai and Dou 2013, doi:10.1145/2484028.2484031
CREATE OR REPLACE MACRO u_measure(j, L DOUBLE := 1000, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k - 1, 'linear', x := L);
