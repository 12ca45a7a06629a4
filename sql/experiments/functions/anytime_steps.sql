-- How far an experiment is, for intervals that hold at every look: n · ρ², with the ρ that makes them tightest at the
--     planned number.
-- n: how many users or pages there are
-- planned: how many were planned
-- alpha: level of significance
CREATE OR REPLACE MACRO anytime_steps(n, planned, alpha) AS
    1e0 * n * (ln(1e0 - 2e0 * ln(alpha)) - 2e0 * ln(alpha)) / planned;
