-- What is wrong with a group that lacks rows on which the others depend; NULL if it does not.
-- macro: the aggregate
-- what: what each row is for
-- number: column that holds in each row how many there are
CREATE OR REPLACE MACRO left_out_rows(macro, what, number) AS
    CASE
        WHEN count(*) < max(number)
            THEN concat(
                macro, ': a group has only ', count(*), ' of ', max(number), ' ', what,
                '; a WHERE has left out rows: leave them out of the table that the relation takes'
            )
    END;
