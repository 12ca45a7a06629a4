-- Wilcoxon's signed-rank test: the p-value if differences are symmetric around 0; ties are left out.
-- relation: paired
-- alternative: 'two-sided', 'greater' or 'less'; whether differences are above or below 0
-- formula: over all patterns of signs up to 50 queries, then by the normal distribution with correction for equal
--     ranks; 1 if all are ties
-- same as: scipy's wilcoxon(difference, method='exact'); wilcoxon(difference, method='approx')
-- source: Wilcoxon 1945, doi:10.2307/3001968
CREATE OR REPLACE MACRO wilcoxon(p, alternative VARCHAR := 'two-sided') AS
    let(
        signed_ranks(p),
        lambda ranks: CASE
            WHEN len(ranks) > 50 THEN wilcoxon_normal(ranks, alternative)
            WHEN len(ranks) > 0 THEN wilcoxon_exact(ranks, alternative)
            ELSE 1e0
        END
    );
