-- The weighted harmonic mean of precision and recall among the first k: (1 + beta^2) P R / (beta^2 P + R).
-- name: F@k, SetF
-- trec_eval: set_F
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- beta: number above 0; how many times as much recall weighs as precision. trec_eval and ir_measures do not square it: their beta 2 is F of the square root of 2
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO f_at(j, k := NULL, beta := 1e0) AS
    -- with P = found / depth and R = found / num_rel, the formula divides through to this
    coalesce(
        (1e0 + power(1e0 * beta, 2))
        * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(power(1e0 * beta, 2) * max(j.num_rel) + coalesce(k, max(j.num_ret)), 0),
        0e0
    );
CREATE OR REPLACE MACRO f_at(qrels, run, k := NULL, beta := 1e0, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, f_at(j, k := k, beta := beta) AS f_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
