-- How different the items of a list are, by their vectors (intra-list diversity).
-- name: VectorILD, VectorILD@k
-- formula: mean over pairs of the first k items: 1 − cosine of their vectors; 0 for a single item
-- relation: summed_features(k)
-- range: 0 to 2
-- source: Ziegler et al. 2005, doi:10.1145/1060745.1060754; recmetrics intra_list_similarity is 1 − VectorILD
CREATE OR REPLACE MACRO vector_ild(j) AS
    -- the squared length of the sum of vectors of length 1 is the sum of the cosines of all pairs
    CASE
        WHEN max(j.shown) < 2 THEN 0e0
        ELSE 1e0 - (exact_sum(j.total * j.total) - max(j.shown)) / (max(j.shown) * (max(j.shown) - 1e0))
    END;
