-- Whether an id has whitespace of any kind before or after it.
-- id: id of a query or document
CREATE OR REPLACE MACRO is_padded(id) AS id <> trim(id, whitespace());
