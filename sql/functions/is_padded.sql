-- Whether blanks of any kind stand before or after an id.
-- id: a query's or document's
CREATE OR REPLACE MACRO is_padded(id) AS
    regexp_matches(id, '^[\s\p{Z}]|[\s\p{Z}]$');
