-- The percentile interval of the mean difference over bootstrap samples: a list of two numbers.
-- relation: resampled
-- confidence: between 0 and 1; how often such intervals contain the true difference
-- formula: the quantiles of the resampled differences
-- same as: scipy's bootstrap(…, method='percentile')
-- source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13
CREATE OR REPLACE MACRO bootstrap_interval(p, confidence DOUBLE := 95e-2) AS
    list_transform(
        [(1e0 - confidence) / 2e0, (1e0 + confidence) / 2e0],
        lambda share: quantile_of(list_sort(list(p.resampled_difference)), share)
    );
