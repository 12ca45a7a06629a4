-- The p-value of a run that is worse than the baseline by `margin` or more: small if it is not.
-- relation: paired
-- margin: required, above 0; the largest loss that does not matter
-- formula: paired_t against -margin, one-sided
-- same as: statsmodels' DescrStatsW(difference).ttest_mean(-margin, alternative='larger')
CREATE OR REPLACE MACRO non_inferior_t(p, margin DOUBLE := NULL) AS
    paired_t(p, margin := -margin, alternative := 'greater');
