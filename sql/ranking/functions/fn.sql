-- False negatives: relevant documents that are not among the first k.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO fn(j, k) AS sum(j.relevant) - tp(j, k);
