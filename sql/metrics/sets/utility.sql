-- What all that was retrieved is worth, when each relevant and each other document is, retrieved or not.
-- name: Utility
-- formula: rel_ret · relevant retrieved + nonrel_ret · others retrieved + rel_left · relevant not retrieved + nonrel_left · others not retrieved
-- trec_eval: utility; utility_{rel_ret},{nonrel_ret},{rel_left},{nonrel_left}
-- nicknames: all_trec, set
-- relation: judged
-- rel_ret: number; worth of a relevant document retrieved
-- nonrel_ret: number; worth of any other document retrieved, unjudged ones included
-- rel_left: number; worth of a relevant document not retrieved
-- nonrel_left: number; worth of any other document not retrieved
-- corpus_size: number; documents in the collection, for nonrel_left. trec_eval's option -N
-- range: -inf to inf
-- empty: nonrel_ret for each document retrieved
-- source: Hull 1998, The TREC-7 Filtering Track: Description and Analysis; trec_eval 10 gives 0 to a query without answer
CREATE OR REPLACE MACRO utility(
    j, rel_ret := 1, nonrel_ret := -1, rel_left := 0, nonrel_left := 0, corpus_size := 0
) AS
    1e0 * nonrel_left * sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size ELSE 0 END)
    + (nonrel_ret - nonrel_left) * sum(CASE WHEN j.ideal_rank = 1 THEN j.num_ret ELSE 0 END)
    + (rel_left - nonrel_left) * sum(j.relevant)
    + (rel_ret - nonrel_ret - rel_left + nonrel_left)
    * sum(CASE WHEN j.rank IS NOT NULL THEN j.relevant ELSE 0 END);
CREATE OR REPLACE MACRO utility(
    qrels, run, rel_ret := 1, nonrel_ret := -1, rel_left := 0, nonrel_left := 0, corpus_size := 0, rel := 1
) AS TABLE
SELECT
    j.run_id,
    j.query_id,
    utility(
        j,
        rel_ret := rel_ret,
        nonrel_ret := nonrel_ret,
        rel_left := rel_left,
        nonrel_left := nonrel_left,
        corpus_size := corpus_size
    ) AS utility
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
