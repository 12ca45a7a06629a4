-- The ends of the confidence interval of a relative difference of two means, as a list.
-- first, second: the means
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
-- confidence: between 0 and 1
CREATE OR REPLACE MACRO relative_ends(first, second, u, m, v, n, confidence) AS
    let(
        {
            'mean': nullif(first, 0),
            'share': u / nullif(u + v, 0),
            'difference': second - first,
            'margin': welch_margin(u, m, v, n, confidence)
        },
        lambda f: fieller_ends(f.difference / f.mean, f.margin / abs(f.mean), f.share)
    );
