-- Whether an id is empty or only whitespace.
-- id: id of a query or document
-- no_lists: trim(id) = ''
CREATE OR REPLACE MACRO is_blank(id) AS
    -- an id that does not start with whitespace sorts above '!', and needs no closer look
    id < '!' AND trim(id, concat(' ', chr(9), chr(10), chr(12), chr(13))) = '';
