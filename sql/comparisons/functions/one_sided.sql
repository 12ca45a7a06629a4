-- The p-value for an alternative, from the two-sided one of a symmetric distribution.
-- p_value: for both sides
-- gain: above 0 if what was seen speaks for the run, below 0 if for the baseline
-- alternative: 'two-sided', 'greater' or 'less'
CREATE OR REPLACE MACRO one_sided(p_value, gain, alternative) AS
    let(
        p_value,
        lambda q: CASE
            WHEN alternative = 'two-sided' THEN q
            WHEN (alternative = 'greater') = (gain > 0) THEN q / 2e0
            ELSE 1e0 - q / 2e0
        END
    );
