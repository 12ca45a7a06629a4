-- The ratings, ids as text and relevance as numbers.
-- ratings: table or file with the columns query_id, doc_id, judge, relevance
-- returns given_relevance: the value in the table, as text
-- needs: query_id, doc_id, judge, relevance
CREATE OR REPLACE MACRO read_ratings(ratings) AS TABLE
SELECT
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_r.judge AS VARCHAR) COLLATE C AS judge,
    number_or_null(_r.relevance) AS relevance,
    CAST(_r.relevance AS VARCHAR) AS given_relevance
FROM with_columns(ratings, { 'query_id': NULL, 'doc_id': NULL, 'judge': NULL, 'relevance': NULL }) AS _r;
