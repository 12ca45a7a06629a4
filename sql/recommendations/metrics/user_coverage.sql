-- The share of the users of the history who have a list, or one of k items or more.
-- name: UserCoverage, UserCoverage@k
-- aliases: CoveredUsers
-- formula: 1 for a user with k recommended items or more, else 0
-- relation: served
-- k: 1 or more; items that a user must have, or NULL for 1
-- range: 0 to 1
-- differs: elliot counts the users; RecTools' users are those of the test set
-- source: Ge, Delgado-Battenfeld and Jannach 2010, doi:10.1145/1864708.1864761
CREATE OR REPLACE MACRO user_coverage(j, k BIGINT := NULL) AS
    1e0 * max(CASE WHEN j.num_ret >= coalesce(k, 1) THEN 1 ELSE 0 END);
