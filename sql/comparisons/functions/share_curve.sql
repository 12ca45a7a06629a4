-- The density of the log-odds of a share that has a Beta distribution, without its constant: 1 at its highest.
-- x: how far the log-odds are below those of a / (a + b), in units of √(1 / a + 1 / b)
-- a, b: the parameters of the distribution, both above 0
CREATE OR REPLACE MACRO share_curve(x, a, b) AS
    CASE
        WHEN x < 0
            THEN exp(b * sqrt(1e0 / a + 1e0 / b) * (x) - (a + b) * ln_1_plus(
                (exp(sqrt(1e0 / a + 1e0 / b) * (x)) - 1e0) * b / (a + b)
            ))
        ELSE exp(-a * sqrt(1e0 / a + 1e0 / b) * (x) - (a + b) * ln_1_plus(
            (exp(-sqrt(1e0 / a + 1e0 / b) * (x)) - 1e0) * a / (a + b)
        ))
    END;
