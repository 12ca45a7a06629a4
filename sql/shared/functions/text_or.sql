-- A column of a user's table as text or, if the table lacks it, another text.
-- value: the column
-- otherwise: the other text
CREATE OR REPLACE MACRO text_or(value, otherwise) AS
    coalesce(CAST(value AS VARCHAR), CASE WHEN is_missing(value) THEN otherwise END) COLLATE C;
