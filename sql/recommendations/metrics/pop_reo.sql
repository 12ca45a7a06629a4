-- Whether popular and other relevant items are recommended equally often: 0 if they are, at most 1.
-- name: PopREO, PopREO@k
-- formula: standard deviation / mean of hits / relevant items, of the popular items and of the others; NULL if one of
--     the two has no relevant items, or nothing relevant is recommended
-- relation: popular_hits(k, rel, head)
-- range: 0 to 1
-- better: lower
-- source: Zhu, Wang and Caverlee 2020, doi:10.1145/3397271.3401177; elliot PopREO
CREATE OR REPLACE MACRO pop_reo(j) AS
    CASE
        WHEN count(*) = 2
            -- of two values, the deviation is half of their difference
            THEN (max(1e0 * j.hits / j.num_rel) - min(1e0 * j.hits / j.num_rel))
                / nullif(sum(1e0 * j.hits / j.num_rel), 0)
    END;
