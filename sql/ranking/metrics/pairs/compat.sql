-- How close the ranking is to an ideal one: their rank-biased overlap, divided by that of the ideal ranking with
--     itself.
-- name: Compat
-- formula: RBO(ranking, ideal) / RBO(ideal, ideal), RBO = Σ p^(i − 1) · shared@i / i over Σ p^(i − 1)
-- aliases: Compatibility
-- relation: rbo_overlap(rel)
-- p: between 0 and 1; probability that the user continues
-- ranks: 1 or more, or NULL; number of ranks to compare; a ranking is empty below its end. NULL stops at the end of the
--     longer one
-- normalized: whether to divide by the score of the ideal ranking
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: the ideal ranking has relevant documents by grade, within a grade in the order of the run, and those not
--     retrieved last. 1000 ranks are compared, as in the authors' own script, however short both rankings are;
--     ir_measures stops at the end of the longer one: ranks=NULL, as in preset ir_measures. It also puts relevant
--     documents that were not retrieved before retrieved ones with a score below 0, and counts any relevance above 0 as
--     relevant
-- source: Clarke, Vtyurina and Smucker 2021, doi:10.1145/3451161
CREATE OR REPLACE MACRO compat(j, p DOUBLE := 95e-2, ranks BIGINT := 1000, normalized BOOLEAN := TRUE) AS
    ratio(
        exact_sum(
            CASE
                WHEN j.shared_rank IS NOT NULL
                    THEN j.num_shared
                    * overlap_weight(p, j.shared_rank, overlap_end(j.shared_until, j.longest, ranks))
            END
        ),
        CASE
            WHEN normalized
                -- the ideal ranking shares one document per rank with itself, up to all R
                THEN exact_sum(
                    CASE
                        WHEN j.relevant = 0 OR j.agreed_rank > coalesce(ranks, j.longest) THEN 0e0
                        WHEN j.agreed_rank < j.num_rel THEN power(1e0 * p, j.agreed_rank - 1)
                        ELSE j.num_rel * overlap_weight(p, j.num_rel, coalesce(ranks, j.longest))
                    END
                )
            ELSE once_per_query(j, (1e0 - power(1e0 * p, coalesce(ranks, j.longest))) / (1e0 - p))
        END
    );
