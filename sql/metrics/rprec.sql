-- The precision at rank R, where R is the number of relevant documents.
-- name: Rprec
-- aliases: RPrec
-- trec_eval: Rprec
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: Buckley and Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval
CREATE OR REPLACE MACRO rprec(j) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= j.num_rel THEN j.relevant ELSE 0 END)
        / nullif(max(j.num_rel), 0),
        0e0
    );
CREATE OR REPLACE MACRO rprec(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, rprec(j) AS rprec
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
