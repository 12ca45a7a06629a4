-- The bias-corrected and accelerated interval of the mean difference over bootstrap samples: a list of two numbers.
-- relation: resampled
-- confidence: between 0 and 1; how often such intervals contain the true difference
-- formula: the quantiles at Φ(z + (z + zα) / (1 - a(z + zα))), z from the share of samples below the mean, a the
--     acceleration
-- same as: scipy's bootstrap(…, method='BCa')
-- source: Efron 1987, doi:10.1080/01621459.1987.10478410
CREATE OR REPLACE MACRO bca_interval(p, confidence DOUBLE := 95e-2) AS
    list_transform(
        bca_shares(
            (
                count(CASE WHEN p.resampled_difference < p.difference THEN 1 END)
                + count(CASE WHEN p.resampled_difference = p.difference THEN 1 END) / 2e0
            ) / count(*),
            max(p.acceleration),
            confidence,
            5e-1 / count(*)
        ),
        lambda share: quantile_of(list_sort(list(p.resampled_difference)), share)
    );
