-- The ratings, ids as text and relevance as numbers.
-- ratings: table or file with the columns query_id, doc_id, judge, relevance
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO read_ratings(ratings) AS TABLE
SELECT
    required_text('ratings', 'query_id', _r.query_id, _r._columns) AS query_id,
    required_text('ratings', 'doc_id', _r.doc_id, _r._columns) AS doc_id,
    required_text('ratings', 'judge', _r.judge, _r._columns) AS judge,
    required_number('ratings', 'relevance', _r.relevance, _r._columns) AS relevance,
    CAST(_r.relevance AS VARCHAR) AS given_relevance
FROM with_columns(ratings, { 'query_id': NULL, 'doc_id': NULL, 'judge': NULL, 'relevance': NULL }) AS _r;
