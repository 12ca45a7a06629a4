-- The area under exp(-x² / 2) beyond z, without lists.
-- z: where it begins
CREATE OR REPLACE MACRO normal_area(z) AS
    list_sum(list_transform(
        range(0, 145),
        lambda i: exp(15e-1 * sinh((i - 72) / 18e0)) * cosh((i - 72) / 18e0) * 15e-1 / 18e0
        * exp(-power(z + exp(15e-1 * sinh((i - 72) / 18e0)), 2) / 2e0)
    ));
