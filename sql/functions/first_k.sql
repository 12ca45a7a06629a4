-- Whether a document is among the first k.
-- rank: of the document; NULL when not retrieved
-- k: cut-off rank, NULL takes the whole ranking
CREATE OR REPLACE MACRO first_k(rank, k) AS rank <= coalesce(k, rank);
