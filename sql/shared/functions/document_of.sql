-- A document by name, for a message.
-- query_id, doc_id: its ids
CREATE OR REPLACE MACRO document_of(query_id, doc_id) AS
    concat('document ', coalesce(doc_id, 'NULL'), ' of query ', coalesce(query_id, 'NULL'));
