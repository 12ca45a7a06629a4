-- Points and weights that integrate a smooth curve from 0 to infinity (exp-sinh quadrature).
CREATE OR REPLACE MACRO quadrature() AS
    list_transform(range(-72, 73), lambda i: {
        'x': quadrature_point(i), 'weight': quadrature_weight(i)
    });
