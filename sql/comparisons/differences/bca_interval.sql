-- The bias-corrected and accelerated interval of the mean difference over bootstrap samples: a list of two numbers.
-- relation: resampled
-- confidence: number between 0 and 1; how often such intervals contain the true difference
-- formula: the quantiles at Φ(z + (z + zα) / (1 - a(z + zα))), z by the share of samples below the mean, a the
--     acceleration
-- in scipy: bootstrap(…, method='BCa')
-- source: Efron 1987, doi:10.1080/01621459.1987.10478410
CREATE OR REPLACE MACRO bca_interval(p, confidence := 95e-2) AS
    list_transform(
        [{
            'means': list_sort(list(p.resampled_difference)),
            'acceleration': max(p.acceleration),
            'z': normal_place(least(1e0 - 5e-1 / count(*), greatest(5e-1 / count(*), (
                count(CASE WHEN p.resampled_difference < p.difference THEN 1 END)
                + count(CASE WHEN p.resampled_difference = p.difference THEN 1 END) / 2e0
            ) / count(*))))
        }],
        lambda s: list_transform(
            [(1e0 - confidence) / 2e0, (1e0 + confidence) / 2e0],
            lambda tail: quantile_of(
                s.means,
                normal_share(s.z + (s.z + normal_place(tail)) / (1e0 - s.acceleration * (s.z + normal_place(tail))))
            )
        )
    )[1];
