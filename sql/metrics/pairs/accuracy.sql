-- The share of pairs of a relevant and another document, both among the first k, that are in order.
-- name: Accuracy, Accuracy@k
-- formula: pairs of relevant above other documents / all such pairs
-- ir_measures: Accuracy; Accuracy@{k}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking. Unjudged documents are not relevant
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: ir_measures has no value where nothing relevant was found, 0 here, and divides by zero where nothing else was, 1 here
-- source: ir_measures
CREATE OR REPLACE MACRO accuracy(j, k := NULL) AS
    -- f relevant among n documents make f · (n - f) pairs, which is what n + 1 - 2 · hits adds up to
    coalesce(
        1e0 - 1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 THEN j.rank - j.hits END)
        / nullif(sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1
                    THEN CASE WHEN k < j.num_ret THEN k ELSE j.num_ret END + 1 - 2 * j.hits
            END
        ), 0),
        1e0 * max(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO accuracy(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, accuracy(j, k := k) AS accuracy
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
