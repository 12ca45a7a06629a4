-- A value nearer to the |z| whose two-sided p-value is alpha, by Halley's method on logarithms.
-- z: a value near to it
-- alpha: between 0 and 1
CREATE OR REPLACE MACRO normal_step(z, alpha) AS
    let(
        z,
        lambda nearer: let(
            normal_area(nearer),
            lambda area: let( -- noqa: LT01
                ln(area / 1.2533141373155003e0 / (alpha)), nearer * exp(-nearer * nearer / 2e0) / area, -- noqa: PRS
                lambda miss, slope: nearer * exp(
                    2e0 * miss / (2e0 * slope - miss * (nearer * nearer - slope - 1e0))
                )
            )
        )
    );
