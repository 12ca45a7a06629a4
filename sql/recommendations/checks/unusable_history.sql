-- Rows of a history that cannot be used: they lack a user or an item.
-- severity: error
-- remedy: each row needs a query_id (the user) and a doc_id (the item)
-- history: as for popularity
CREATE OR REPLACE MACRO unusable_history(history) AS TABLE
SELECT
    _h.query_id,
    _h.doc_id,
    CASE
        WHEN coalesce(is_blank(_h.query_id), TRUE) AND coalesce(is_blank(_h.doc_id), TRUE)
            THEN 'no query_id and no doc_id'
        WHEN coalesce(is_blank(_h.query_id), TRUE) THEN concat('no query_id for item ', _h.doc_id)
        ELSE concat('no doc_id for user ', _h.query_id)
    END AS problem
FROM interactions(history) AS _h
WHERE _h.query_id IS NULL OR _h.doc_id IS NULL OR is_blank(_h.query_id) OR is_blank(_h.doc_id);
