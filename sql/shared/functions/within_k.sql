-- Whether a document is among the first k.
-- rank: rank of the document; NULL if not retrieved
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO within_k(rank, k) AS rank <= coalesce(k, rank);
