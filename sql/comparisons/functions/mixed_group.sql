-- What is wrong with a group that has rows of several metrics, runs, …; NULL if it has not.
-- macro: the aggregate
-- what: what there are several of
-- value: the column
-- advice: what to do
CREATE OR REPLACE MACRO mixed_group(macro, what, value, advice) AS
    CASE
        WHEN min(value) <> max(value)
            THEN concat(
                macro, ': a group has rows of several ', what, ', such as ', min(value), ' and ', max(value), advice
            )
        WHEN count(value) > 0 AND count(value) < count(*)
            THEN concat(macro, ': a group has rows of several ', what, ', such as ', min(value), ' and NULL', advice)
    END;
