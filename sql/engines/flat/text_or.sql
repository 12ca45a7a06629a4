-- A column of a table as text; the other text for NULL, which is all that a column has that the table lacks.
-- value: the column
-- otherwise: the other text
CREATE OR REPLACE MACRO text_or(value, otherwise) AS coalesce(CAST(value AS VARCHAR), otherwise) COLLATE C;
