-- The gain of subtopics covered divided by the rank, less each time one is covered again, over that of a greedily built ideal ranking, which is rarely surpassed.
-- name: nERR_IA, nERR_IA@k
-- formula: Σ over the first k: gain / rank, over the same of the ideal ranking, gain = Σ over subtopics: (1 − α)^times covered above
-- aliases: nERR-IA
-- ir_measures: nERR_IA@{k}
-- pyndeval: nERR-IA@{k}
-- relation: greedy
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- range: 0 to 1.582
-- empty: 0
-- differs: pyndeval and ir_measures take cut-offs up to 20
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033, divided as in ndeval
CREATE OR REPLACE MACRO nerr_ia(j, k := NULL) AS
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.gain / j.rank END)
        / nullif(sum(
            CASE WHEN j.greedy_rank <= coalesce(k, j.greedy_rank) THEN j.greedy_gain / j.greedy_rank END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO nerr_ia(qrels, run, k := NULL, alpha := 5e-1, rel := 1) AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, nerr_ia(j, k := k) AS nerr_ia
FROM greedy(_subtopics, alpha := alpha) AS j
GROUP BY j.run_id, j.query_id;
