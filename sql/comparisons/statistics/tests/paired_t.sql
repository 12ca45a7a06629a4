-- Student's paired t-test: the p-value if the true mean difference is `margin`.
-- relation: paired
-- margin: the mean difference to test against
-- alternative: 'two-sided', 'greater' or 'less'; what else the mean difference may be
-- formula: t = (mean difference - margin) / (s / √n), n - 1 degrees of freedom; NULL for fewer than 2 queries or if all
--     differences are the same; 1 if all are the margin
-- same as: scipy's ttest_rel(run, baseline).pvalue
-- source: Student 1908, doi:10.2307/2331554
CREATE OR REPLACE MACRO paired_t(p, margin DOUBLE := 0, alternative VARCHAR := 'two-sided') AS
    CASE
        WHEN varies(p)
            THEN one_sided(
                student_p((avg(p.difference) - margin) / standard_error(p), count(*) - 1e0),
                avg(p.difference) - margin,
                alternative
            )
        WHEN
            count(*) > 1
            AND greatest(max(p.difference) - margin, -(min(p.difference) - margin)) <= 1e-12 * max(p.scale)
            THEN 1e0
    END;
