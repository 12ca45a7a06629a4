-- Whether differences vary by more than rounding.
-- x: the differences
CREATE OR REPLACE MACRO has_spread(x) AS max(x) - min(x) > 1e-12 * max(abs(x));
