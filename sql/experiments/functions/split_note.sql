-- A note on numbers of users that are not as planned: which variant is farthest from it; NULL if they may be.
-- s: rows of allocated
-- p: of the sample ratio check
CREATE OR REPLACE MACRO split_note(s, p) AS
    CASE
        WHEN p < 1e-3
            THEN let(
                max_by(
                    { 'variant': s.variant, 'off': s.users / s.expected_users - 1 },
                    { 'far': round(abs(s.users / s.expected_users - 1), 12), 'fewer': 1 - s.users / s.expected_users }
                ),
                lambda most: concat(
                    'variant ', most.variant, ' has ',
                    format(CASE WHEN abs(most.off) < 0.1 THEN '{:.2g}' ELSE '{:.0f}' END, 100 * abs(most.off)), '% ',
                    CASE WHEN most.off > 0 THEN 'more' ELSE 'fewer' END,
                    ' users than planned (p = ', format('{:.1g}', p),
                    '): do not trust the results, find out why'
                )
            )
    END;
