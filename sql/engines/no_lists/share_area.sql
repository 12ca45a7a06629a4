-- The area under share_curve beyond x, without lists.
-- x: 0 or more
-- a, b: as for share_curve
CREATE OR REPLACE MACRO share_area(x, a, b) AS
    list_sum(list_transform(
        range(0, 145),
        lambda i: exp(15e-1 * sinh((i - 72) / 18e0)) * cosh((i - 72) / 18e0) * 15e-1 / 18e0
        * exp(-a * sqrt(1e0 / a + 1e0 / b) * (x + exp(15e-1 * sinh((i - 72) / 18e0))) - (a + b) * ln(
            1e0 + (exp(-sqrt(1e0 / a + 1e0 / b) * (x + exp(15e-1 * sinh((i - 72) / 18e0)))) - 1e0) * a / (a + b)
        ))
    ));
