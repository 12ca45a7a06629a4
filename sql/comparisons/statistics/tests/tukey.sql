-- The randomized Tukey HSD test: the p-value of a difference of two runs among all those compared, which needs no
--     further correction.
-- relation: permuted
-- difference: required; the difference of two means
-- formula: (1 + permutations with a range ≥ |difference|) / (1 + permutations)
-- source: Carterette 2012, doi:10.1145/2094072.2094076
CREATE OR REPLACE MACRO tukey(p, difference DOUBLE := NULL) AS
    (1e0 + count(CASE WHEN p.mean_range >= abs(difference) - p.tolerance THEN 1 END)) / (1e0 + count(*));
