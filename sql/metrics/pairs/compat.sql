-- How near the ranking is to an ideal one: their rank-biased overlap, over that of the ideal ranking with itself.
-- name: Compat
-- formula: RBO(ranking, ideal) / RBO(ideal, ideal), RBO = Σ p^(i − 1) · shared@i / i over Σ p^(i − 1)
-- aliases: Compatibility
-- ir_measures: Compat; Compat(normalize=True); Compat(normalize=False) with normalized=FALSE
-- relation: compared
-- p: number between 0 and 1; probability that the user goes on
-- normalized: TRUE or FALSE; whether to divide by what the ideal ranking would have
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: the ideal ranking has relevant documents by grade, those of one grade in the order of the run and the ones not retrieved last; ir_measures puts these before retrieved ones with a score below 0, and takes any relevance above 0 for relevant; the authors' own script compares no more than 1000 ranks
-- source: Clarke, Vtyurina and Smucker 2021, doi:10.1145/3451161
CREATE OR REPLACE MACRO compat(j, p := 95e-2, normalized := TRUE) AS
    coalesce(
        sum(
            CASE
                WHEN j.shared_rank IS NOT NULL
                    THEN j.num_shared * overlap_weight(p, j.shared_rank, j.shared_until)
                ELSE 0e0
            END
        )
        / nullif(sum(
            CASE
                -- the ideal ranking shares with itself as many documents as there are ranks, at last all R
                WHEN normalized AND j.relevant = 1 AND j.agreed_rank < j.num_rel
                    THEN power(1e0 * p, j.agreed_rank - 1)
                WHEN normalized AND j.relevant = 1
                    THEN j.num_rel * overlap_weight(p, j.num_rel, j.longest)
                WHEN NOT normalized AND j.ideal_rank = 1 THEN (1e0 - power(1e0 * p, j.longest)) / (1e0 - p)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO compat(qrels, run, p := 95e-2, normalized := TRUE, rel := 1) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, compat(j, p := p, normalized := normalized) AS compat
FROM compared(_judged) AS j
GROUP BY j.run_id, j.query_id;
