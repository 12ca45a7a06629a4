-- Rows of a catalogue that cannot be used: they lack an item.
-- severity: error
-- remedy: each row needs a doc_id
-- items: as for exposed
CREATE OR REPLACE MACRO unusable_items(items) AS TABLE
SELECT
    _c.doc_id,
    'no doc_id' AS problem
FROM listed_items(items) AS _c
WHERE _c.doc_id IS NULL OR is_blank(_c.doc_id);
