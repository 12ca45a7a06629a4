-- Whether an id is empty or only spaces.
-- id: id of a query or document
CREATE OR REPLACE MACRO is_blank(id) AS trim(id) = '';
