-- An id without what often changes between tools: case, leading zeros, a trailing .0, surrounding whitespace, Unicode
--     forms.
-- id: id of a query or document
CREATE OR REPLACE MACRO fold_id(id) AS
    regexp_replace(
        regexp_replace(lower(nfc_normalize(id)), '^[\s\p{Z}]+|[\s\p{Z}]+$', '', 'g'),
        '^0+([0-9])|\.0+$', '\1', 'g'
    );
