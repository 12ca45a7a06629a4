-- A value nearer to the x beyond which a part of the area under share_curve lies, by Halley's method on logarithms.
-- x: a value near to it
-- whole, tail, a, b: as for the other file of this name
CREATE OR REPLACE MACRO share_step(x, whole, tail, a, b) AS
    let(
        x,
        lambda nearer: let( -- noqa: LT01
            share_area(nearer, a, b), exp(-sqrt(1e0 / a + 1e0 / b) * nearer), -- noqa: PRS
            lambda area, fall: let(
                ln(area / whole / (tail)), share_curve(nearer, a, b) / area,
                lambda miss, slope: nearer + 2e0 * miss / (
                    2e0 * slope - miss * (
                        a * sqrt(1e0 / a + 1e0 / b) * (1e0 - fall / (1e0 + (fall - 1e0) * a / (a + b))) - slope
                    )
                )
            )
        )
    );
