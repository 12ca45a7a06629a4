-- The standardized effect, corrected for few queries.
-- relation: paired
-- formula: mean difference / s · (1 - 3 / (4n - 5))
-- source: Hedges 1981, doi:10.3102/10769986006002107
CREATE OR REPLACE MACRO hedges_gz(p) AS cohen_dz(p) * (1e0 - 3e0 / (4e0 * count(*) - 5e0));
