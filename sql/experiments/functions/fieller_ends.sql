-- The ends of the d with (difference - d · mean)² ≤ margin² + spread · ((1 + d)² - 1), as a list.
-- difference: the difference of two means
-- margin: half the width of its interval
-- mean: the mean that it is divided by
-- spread: the square of half the width of the interval of that mean
CREATE OR REPLACE MACRO fieller_ends(difference, margin, mean, spread) AS
    let(
        {
            'a': mean * mean - spread,
            'b': difference * mean + spread,
            'c': (difference - margin) * (difference + margin),
            'is_up': difference * mean > 0
        },
        lambda f: let(
            f.b + CASE WHEN f.b < 0 THEN -1e0 ELSE 1e0 END * sqrt(greatest(f.b * f.b - f.a * f.c, 0e0)),
            lambda q: CASE
                WHEN f.a IS NULL THEN NULL
                WHEN f.a > 0 THEN [least(q / f.a, f.c / q), greatest(q / f.a, f.c / q)]
                WHEN f.c <= 0 THEN [CAST('-inf' AS DOUBLE), CAST('inf' AS DOUBLE)]
                WHEN f.is_up THEN [greatest(q / f.a, f.c / q), CAST('inf' AS DOUBLE)]
                WHEN f.c > 0 THEN [CAST('-inf' AS DOUBLE), least(q / f.a, f.c / q)]
            END
        )
    );
