-- Why a row with a value for a document cannot be used, for a message.
-- name: name of the column
-- value: the value, as text
-- query_id, doc_id: ids of the row
CREATE OR REPLACE MACRO unusable_value(name, value, query_id, doc_id) AS
    coalesce(
        missing_id(query_id, doc_id),
        concat(given_value(name, value), ' for document ', doc_id, ' of query ', query_id)
    );
