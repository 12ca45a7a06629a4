-- Two notes in one text, with a semicolon between them; NULL without any.
-- first, second: notes, or NULL
-- no_lists: nullif(substr(coalesce('; ' || first, '') || coalesce('; ' || second, ''), 3), '')
CREATE OR REPLACE MACRO joined_notes(first, second) AS nullif(concat_ws('; ', first, second), '');
