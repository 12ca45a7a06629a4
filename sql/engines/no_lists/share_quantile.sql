-- The x beyond which this part of the area under share_curve lies, by three steps of Halley's method from a near value.
-- tail: above 0 and below 1/2
-- a, b: as for share_curve
-- source: Abramowitz and Stegun 1964, 26.2.23 and 26.5.22, for the near value
CREATE OR REPLACE MACRO share_quantile(tail, a, b) AS
    let( -- noqa: PRS
        share_area(0e0, a, b) + share_area(0e0, b, a), sqrt(-2e0 * ln(tail)),
        lambda whole, root: let(
            root - (2.515517e0 + root * (0.802853e0 + root * 0.010328e0))
            / (1e0 + root * (1.432788e0 + root * (0.189269e0 + root * 0.001308e0))),
            2e0 / (1e0 / (2e0 * a - 1e0) + 1e0 / (2e0 * b - 1e0)),
            lambda normal, size: let(
                2e0 / sqrt(1e0 / a + 1e0 / b) * (
                    normal * sqrt(size + (normal * normal - 3e0) / 6e0) / size
                    - (1e0 / (2e0 * b - 1e0) - 1e0 / (2e0 * a - 1e0))
                    * ((normal * normal - 3e0) / 6e0 + 5e0 / 6e0 - 2e0 / (3e0 * size))
                ),
                lambda near: share_step(
                    share_step(share_step(near, whole, tail, a, b), whole, tail, a, b), whole, tail, a, b
                )
            )
        )
    );
