-- The |z| whose two-sided p-value is alpha, by two steps of Halley's method on logarithms from a near value.
-- alpha: between 0 and 1
-- source: Abramowitz and Stegun 1964, 26.2.23, for the near value
CREATE OR REPLACE MACRO normal_quantile(alpha) AS
    let(
        sqrt(-2e0 * ln((alpha) / 2e0)),
        lambda root: let(
            abs(
                root - (2.515517e0 + root * (0.802853e0 + root * 0.010328e0))
                / (1e0 + root * (1.432788e0 + root * (0.189269e0 + root * 0.001308e0)))
            ),
            lambda near: normal_step(normal_step(near, alpha), alpha)
        )
    );
