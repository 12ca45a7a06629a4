-- The precision at rank R, where R is the number of relevant documents, or at a multiple of it.
-- name: Rprec
-- aliases: RPrec
-- formula: relevant@m / m, m = ⌊multiple · R + 0.9⌋
-- trec_eval: Rprec; Rprec_mult_{multiple} by 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0
-- ir_measures: Rprec
-- ranx: r-precision
-- torchmetrics: RetrievalRPrecision()
-- nicknames: official Rprec, all_trec Rprec Rprec_mult
-- relation: judged
-- multiple: number above 0; how many times R, + 0.9 without its fraction, is the rank
-- range: 0 to 1
-- empty: 0
-- source: Buckley and Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval
CREATE OR REPLACE MACRO rprec(j, multiple := 1) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= floor(1e0 * multiple * j.num_rel + 9e-1) THEN j.relevant ELSE 0 END)
        / nullif(sum(CASE WHEN j.ideal_rank = 1 THEN floor(1e0 * multiple * j.num_rel + 9e-1) END), 0),
        0e0
    );
CREATE OR REPLACE MACRO rprec(qrels, run, multiple := 1, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, rprec(j, multiple := multiple) AS rprec
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
