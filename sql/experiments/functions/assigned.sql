-- The users of an experiment, ids as text and values as numbers.
-- users: table or file with the columns user_id, variant, numerator and, if there are any, denominator, metric,
--     segment, before and before_denominator
-- returns user_id, variant, metric: one row each; without a column metric, it is called 'value'
-- returns segment: as it is, or NULL
-- returns numerator, denominator, before, before_denominator: NULL if not a number; missing denominators are 1
-- returns given_numerator, given_denominator, given_before, given_before_denominator: the values, as text
-- returns has_before: whether the table has a column before
-- needs: user_id, variant, numerator
CREATE OR REPLACE MACRO assigned(users) AS TABLE
SELECT
    CAST(_u.user_id AS VARCHAR) COLLATE C AS user_id,
    CAST(_u.variant AS VARCHAR) COLLATE C AS variant,
    text_or(_u.metric, 'value') AS metric,
    _u.segment,
    number_or_null(_u.numerator) AS numerator,
    CASE WHEN is_missing(_u.denominator) THEN 1e0 ELSE TRY_CAST(_u.denominator AS DOUBLE) END AS denominator,
    TRY_CAST(_u.before AS DOUBLE) AS before,
    CASE
        WHEN is_missing(_u.before_denominator) THEN 1e0
        ELSE TRY_CAST(_u.before_denominator AS DOUBLE)
    END AS before_denominator,
    CAST(_u.numerator AS VARCHAR) AS given_numerator,
    CAST(_u.denominator AS VARCHAR) AS given_denominator,
    CAST(_u.before AS VARCHAR) AS given_before,
    CAST(_u.before_denominator AS VARCHAR) AS given_before_denominator,
    NOT is_missing(_u.before) AS has_before
FROM with_columns(
    users, {
        'user_id': NULL, 'variant': NULL, 'metric': NULL, 'segment': NULL, 'numerator': NULL,
        'denominator': NULL, 'before': NULL, 'before_denominator': NULL
    }
) AS _u;
