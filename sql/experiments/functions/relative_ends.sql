-- The ends of the confidence interval of a relative difference of two means, as a list.
-- first, second: the means
-- u, v: the squared standard errors of the means
-- margin: half the width of the interval of the difference
CREATE OR REPLACE MACRO relative_ends(first, second, u, v, margin) AS
    let(
        {
            'mean': nullif(first, 0),
            'share': u / nullif(u + v, 0),
            'difference': second - first,
            'margin': margin
        },
        lambda f: fieller_ends(f.difference / f.mean, f.margin / abs(f.mean), f.share)
    );
