-- The gain per document seen by a foraging user: one who wants a total gain of T, and continues while documents gain A
--     each.
-- name: IFT, IFT@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), continues with C(i) = (1 − 1 / (1 + b1 · e^(R1 · (T − G)))) / (1 + b2 ·
--     e^(R2 · (A − G / i))), G = Σ_{j≤i} gain(j)
-- aliases: IFT_C1 with A=None; IFT_C2 with T=None
-- relation: ift_user(T, b1, R1, A, b2, R2, k, min_rel, max_rel, unjudged, rel, gains)
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- source: Azzopardi et al. 2018, doi:10.1145/3209978.3210027
CREATE OR REPLACE MACRO ift(j, measure VARCHAR := 'utility') AS
    adaptive_user(j, measure);
