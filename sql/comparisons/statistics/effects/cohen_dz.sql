-- The standardized effect: the mean difference in standard deviations of the differences.
-- relation: paired
-- formula: mean difference / s
-- source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences
CREATE OR REPLACE MACRO cohen_dz(p) AS
    CASE WHEN varies(p) THEN avg(p.difference) / spread(p) END;
