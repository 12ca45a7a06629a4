-- What an id that appears more than once may be, for a message: indexes give -1 where they find nothing.
-- doc_id: the id
CREATE OR REPLACE MACRO nothing_found(doc_id) AS
    CASE WHEN doc_id = '-1' THEN ', and is what an index such as FAISS gives where it found nothing' ELSE '' END;
