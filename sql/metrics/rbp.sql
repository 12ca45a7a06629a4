-- The expected gain per document seen by a user who goes on to the next one with probability p.
-- name: RBP, RBP@k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- p: number between 0 and 1; probability that the user goes on
-- max_rel: number above 0, or NULL; highest grade of the scale, to gain relevance / max_rel whatever rel says. NULL gains 1 for a relevant document
-- range: 0 to 1
-- empty: 0
-- agrees: ir_measures
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO rbp(j, k := NULL, p := 8e-1, max_rel := NULL) AS
    (1e0 - p) * sum(
        CASE
            WHEN j.rank <= coalesce(k, j.rank)
                THEN power(1e0 * p, j.rank - 1) * CASE
                    WHEN max_rel IS NULL THEN 1e0 * j.relevant
                    ELSE graded_gain(within_scale(j.relevance, max_rel), 'linear') / max_rel
                END
            ELSE 0e0
        END
    );
CREATE OR REPLACE MACRO rbp(qrels, run, k := NULL, p := 8e-1, max_rel := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, rbp(j, k := k, p := p, max_rel := max_rel) AS rbp
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
