-- How often each document was shown at each position for a query, and how often it was clicked there, where another
--     engine has counted it.
-- log: the rows that the file of this name in sql/clicks returns, in a table
CREATE OR REPLACE MACRO shown_counts(log) AS TABLE
SELECT
    _c.query_id COLLATE C AS query_id,
    _c.doc_id COLLATE C AS doc_id,
    _c.position,
    _c.pages,
    _c.clicks
FROM query_table(log) AS _c;
