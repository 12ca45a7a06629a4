-- Half the width of the confidence interval of a difference by the randomized Tukey HSD test; NULL for too few
--     permutations.
-- relation: permuted
-- confidence: between 0 and 1; how often all intervals together contain the true differences
-- formula: the smallest range such that a larger difference has p < 1 - confidence
-- source: Carterette 2012, doi:10.1145/2094072.2094076
CREATE OR REPLACE MACRO tukey_margin(p, confidence DOUBLE := 95e-2) AS
    list_reverse_sort(list(p.mean_range))[CAST(ceil((1e0 - confidence) * (1e0 + count(*)) - 1e-9) AS BIGINT) - 1];
