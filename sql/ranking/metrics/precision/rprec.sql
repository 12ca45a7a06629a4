-- The precision at rank R, the number of relevant documents, or at a multiple of R.
-- name: Rprec
-- aliases: RPrec
-- formula: relevant@m / m, m = ⌊multiple · R + 0.9⌋
-- relation: judged(rel)
-- multiple: above 0; multiple of R: the rank is floor(multiple · R + 0.9)
-- range: 0 to 1
-- no relevant: 0
-- source: Buckley and Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information
--     Retrieval
-- most used: 8
CREATE OR REPLACE MACRO rprec(j, multiple DOUBLE := 1) AS
    ratio(
        tp(j, recall_count(multiple, j.num_rel, 9e-1)),
        once_per_query(j, recall_count(multiple, j.num_rel, 9e-1))
    );
