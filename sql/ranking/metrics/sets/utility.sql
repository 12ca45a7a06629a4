-- The total value of a result: what each document is worth depends on whether it is relevant and whether it was
--     retrieved.
-- name: Utility
-- formula: rel_ret · TP + nonrel_ret · FP + rel_left · FN + nonrel_left · TN
-- relation: judged(rel)
-- rel_ret: worth of each relevant document retrieved
-- nonrel_ret: worth of each other document retrieved, unjudged ones included
-- rel_left: worth of each relevant document not retrieved
-- nonrel_left: worth of each other document not retrieved
-- corpus_size: documents in the collection, for nonrel_left (option -N of trec_eval)
-- range: -inf to inf
-- no relevant: nonrel_ret for each document retrieved
-- source: Hull 1998, The TREC-7 Filtering Track: Description and Analysis; trec_eval 10 scores unanswered queries 0
CREATE OR REPLACE MACRO utility(
    j, rel_ret DOUBLE := 1, nonrel_ret DOUBLE := -1, rel_left DOUBLE := 0, nonrel_left DOUBLE := 0,
    corpus_size DOUBLE := 0
) AS
    1e0 * rel_ret * tp(j, NULL)
    + nonrel_ret * fp(j, NULL)
    + rel_left * fn(j, NULL)
    + nonrel_left * (corpus_size - tp(j, NULL) - fp(j, NULL) - fn(j, NULL));
