-- What is wrong with a group that has a row twice; NULL if it does not.
-- macro: the aggregate
-- what: what each row is for
-- value: the column
CREATE OR REPLACE MACRO repeated_row(macro, what, value) AS
    CASE
        WHEN count(value) <> count(DISTINCT value)
            THEN concat(
                macro, ': a group has ', what, ' ', CAST(mode(value) AS VARCHAR),
                ' more than once; a JOIN may have repeated the rows'
            )
    END;
