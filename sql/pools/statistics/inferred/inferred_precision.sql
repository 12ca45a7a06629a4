-- P@k estimated from judgments of documents drawn at random, with a different probability in each stratum.
-- relation: stratified
-- k: 1 or more; cut-off rank
-- formula: estimated number of relevant documents down to k / k
-- range: 0 to 1
-- source: Yilmaz, Kanoulas and Aslam 2008, doi:10.1145/1390334.1390437
CREATE OR REPLACE MACRO inferred_precision(r, k BIGINT := 10) AS
    coalesce(exact_sum(CASE WHEN r.rank <= k THEN r.found_more END), 0e0) / k;
