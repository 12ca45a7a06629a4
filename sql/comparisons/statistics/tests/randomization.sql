-- Fisher's randomization test: the p-value if the run and the baseline could swap their scores of any query.
-- relation: flipped
-- alternative: 'two-sided', 'greater' or 'less'; whether the mean difference is above or below 0
-- formula: the share of permutations, the scores as they are included, whose mean difference is at least as far from 0
-- same as: scipy's permutation_test((run, baseline), mean_difference, permutation_type='samples')
-- source: Smucker, Allan and Carterette 2007, doi:10.1145/1321440.1321528
CREATE OR REPLACE MACRO randomization(p, alternative VARCHAR := 'two-sided') AS
    avg(
        CASE
            WHEN alternative = 'greater' AND p.flipped_difference >= p.difference - p.tolerance THEN 1e0
            WHEN alternative = 'less' AND p.flipped_difference <= p.difference + p.tolerance THEN 1e0
            WHEN alternative = 'two-sided' AND abs(p.flipped_difference) >= abs(p.difference) - p.tolerance THEN 1e0
            ELSE 0e0
        END
    );
