-- How much higher a list ranks relevant items than a list by popularity does.
-- name: Serendipity, Serendipity@k
-- formula: mean over the first k: max(p − p_any, 0) if relevant, else 0; p = (n + 1 − rank) / n, p_any the same by the
--     rank of popularity, or 0 for an item that is not in the history; n = items of the catalogue
-- relation: surprising(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- range: 0 to 1
-- differs: other tools measure something else by the name: recommenders the distance to the history, evidently the same
-- source: RecTools Serendipity
CREATE OR REPLACE MACRO serendipity(j, k BIGINT := NULL) AS
    coalesce(
        exact_sum(
            CASE
                WHEN within_k(j.rank, k) AND j.relevant = 1 AND j.chance > j.popular_chance
                    THEN j.chance - j.popular_chance
            END
        ), 0e0
    ) / count(CASE WHEN within_k(j.rank, k) THEN 1 END);
