-- The confidence interval of the mean score of a metric whose scores have limits: a list of two numbers within them;
--     NULL for fewer than 2 queries.
-- relation: paired
-- lowest, highest: the limits
-- confidence: between 0 and 1; how often such intervals contain the true mean
-- effective: 1 or more; as how many queries of the same weight these are; by default all
-- formula: for scores from 0 to 1: Wilson's with n divided by s² / (mean · (1 - mean)), where s² counts one query more
--     that varies as much as any can, and with the quantile of Student's t
-- source: Wilson 1927, doi:10.1080/01621459.1927.10502953; Franco et al. 2019, doi:10.1093/jssam/smy019
CREATE OR REPLACE MACRO mean_interval(
    p, lowest DOUBLE := 0, highest DOUBLE := 1, confidence DOUBLE := 95e-2, effective DOUBLE := NULL
) AS
    let(
        {
            'mean': avg((p.score - lowest) / (highest - lowest)),
            -- DuckDB 1.5 also computes it where a CASE leaves out the interval, as without limits
            'variance': var_pop(CASE WHEN isfinite(highest - lowest) THEN (p.score - lowest) / (highest - lowest) END)
                * CASE WHEN effective IS NULL THEN 1e0 ELSE effective / count(*) END,
            'n': CASE WHEN count(*) > 1 THEN greatest(coalesce(effective, 1e0 * count(*)), 2e0) END
        },
        lambda x: let(
            {
                'mean': x.mean,
                'most': x.mean * (1 - x.mean),
                'k': power(student_quantile(1e0 - confidence, x.n - 1), 2) / (x.n - 1)
                    * CASE
                        WHEN x.mean * (1 - x.mean) > 0
                            THEN ((x.n - 1) * x.variance / (x.mean * (1 - x.mean)) + 1) / x.n
                        ELSE 1e0
                    END
            },
            lambda y: list_transform(
                [-1e0, 1e0],
                lambda side: lowest + (highest - lowest)
                * (y.mean + y.k / 2 + side * sqrt(y.k * y.most + y.k * y.k / 4)) / (1 + y.k)
            )
        )
    );
