-- Whether an id has nothing but blanks.
-- id: a query's or document's
CREATE OR REPLACE MACRO is_blank(id) AS
    -- what has no blank at its start sorts above, and needs no closer look
    id < '!' AND NOT regexp_matches(id, '\S');
