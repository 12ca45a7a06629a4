-- A note on numbers of users that are not as planned; NULL if they may be.
-- s, p: as for the other file of this name, which also says how far which variant is from it
CREATE OR REPLACE MACRO split_note(s, p) AS
    CASE
        WHEN p < 1e-3
            THEN 'the numbers of users are not as planned (p < 0.001): do not trust the results, find out why'
    END;
