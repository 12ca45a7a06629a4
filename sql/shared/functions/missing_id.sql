-- The id that a row lacks, for a message; NULL if it has both.
-- query_id, doc_id: ids of the row
CREATE OR REPLACE MACRO missing_id(query_id, doc_id) AS
    CASE
        WHEN coalesce(is_blank(query_id), TRUE) AND coalesce(is_blank(doc_id), TRUE)
            THEN 'a row without query_id and doc_id'
        WHEN query_id IS NULL THEN concat('no query_id for document ', doc_id)
        WHEN is_blank(query_id) THEN concat('blank query_id for document ', doc_id)
        WHEN doc_id IS NULL THEN concat('no doc_id for a document of query ', query_id)
        WHEN is_blank(doc_id) THEN concat('blank doc_id for a document of query ', query_id)
    END;
