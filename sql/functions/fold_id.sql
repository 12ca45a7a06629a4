-- An id without what is easily lost on the way: case, leading zeros, a trailing .0, blanks around it, Unicode forms.
-- id: a query's or document's
CREATE OR REPLACE MACRO fold_id(id) AS
    regexp_replace(
        regexp_replace(lower(nfc_normalize(id)), '^[\s\p{Z}]+|[\s\p{Z}]+$', '', 'g'),
        '^0+([0-9])|\.0+$', '\1', 'g'
    );
