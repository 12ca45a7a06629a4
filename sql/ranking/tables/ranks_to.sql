-- The ranks from 1 to k.
-- k: whole number, 1 or more
CREATE OR REPLACE MACRO ranks_to(k) AS TABLE
SELECT _r.rank
FROM range(1, k + 1) AS _r (rank);
