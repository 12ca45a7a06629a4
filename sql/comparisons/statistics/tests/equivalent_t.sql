-- The p-value of a run that is better or worse than the baseline by `margin` or more: small if the two are equivalent.
-- relation: paired
-- margin: required, above 0; the largest difference that does not matter
-- formula: the larger of paired_t against -margin and against margin, one-sided (TOST)
-- same as: statsmodels' DescrStatsW(difference).ttost_mean(-margin, margin)
-- source: Schuirmann 1987, doi:10.1007/BF01068419
CREATE OR REPLACE MACRO equivalent_t(p, margin DOUBLE := NULL) AS
    greatest(
        paired_t(p, margin := -margin, alternative := 'greater'), paired_t(p, margin := margin, alternative := 'less')
    );
