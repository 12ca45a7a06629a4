-- Whether the differences vary by more than the rounding of the scores.
-- p: rows of paired
CREATE OR REPLACE MACRO varies(p) AS max(p.difference) - min(p.difference) > 1e-12 * max(p.scale);
