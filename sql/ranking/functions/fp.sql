-- False positives: documents among the first k that are not relevant, judged or not.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO fp(j, k) AS once_per_query(j, retrieved_at(k, j.num_ret)) - tp(j, k);
