-- Precision at the document's own rank; NULL if it was not retrieved.
-- j: row of judged
CREATE OR REPLACE MACRO precision_at_rank(j) AS 1e0 * j.hits / j.rank;
