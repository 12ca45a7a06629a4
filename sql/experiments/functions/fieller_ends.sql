-- The ends of the d with (difference - d)² ≤ margin² · (1 + share · ((1 + d)² - 1)), as a list.
-- difference: the difference of two means as a share of the first
-- margin: half the width of its interval, as a share of the first mean
-- share: the variance of the first mean as a share of the variance of the difference
CREATE OR REPLACE MACRO fieller_ends(difference, margin, share) AS
    let(
        {
            'a': 1e0 - share * margin * margin,
            'b': difference + share * margin * margin,
            'c': (difference - margin) * (difference + margin),
            'is_up': difference > 0
        },
        lambda f: let(
            f.b + CASE WHEN f.b < 0 THEN -1e0 ELSE 1e0 END * sqrt(greatest(f.b * f.b - f.a * f.c, 0e0)),
            lambda q: CASE
                WHEN f.a IS NULL THEN NULL
                WHEN f.a > 0 THEN [least(q / f.a, f.c / q), greatest(q / f.a, f.c / q)]
                WHEN f.c <= 0 THEN [-CAST('inf' AS DOUBLE), CAST('inf' AS DOUBLE)]
                WHEN f.is_up THEN [greatest(q / f.a, f.c / q), CAST('inf' AS DOUBLE)]
                WHEN f.c > 0 THEN [-CAST('inf' AS DOUBLE), least(q / f.a, f.c / q)]
            END
        )
    );
