-- The precision at the rank of each relevant document, averaged over all relevant ones; one not found adds 0.
-- name: AP, AP@k
-- aliases: MAP
-- trec_eval: map, map_cut_k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: Harman 1992, Evaluation Issues in Information Retrieval, Information Processing and Management 28(4)
CREATE OR REPLACE MACRO ap(j, k := NULL) AS
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 THEN 1e0 * j.hits / j.rank END)
        / nullif(max(j.num_rel), 0),
        0e0
    );
CREATE OR REPLACE MACRO ap(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, ap(j, k := k) AS ap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
