-- The precision of all that was retrieved times its recall, which is AP without regard to order.
-- name: SetAP
-- formula: P · R = (relevant retrieved)² / (retrieved · R)
-- trec_eval: set_map
-- ir_measures: SetAP
-- nicknames: all_trec, set
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- source: trec_eval
CREATE OR REPLACE MACRO set_ap(j) AS
    coalesce(
        power(1e0 * sum(CASE WHEN j.rank IS NOT NULL THEN j.relevant ELSE 0 END), 2)
        / nullif(sum(CASE WHEN j.ideal_rank = 1 THEN j.num_ret END) * sum(j.relevant), 0),
        0e0
    );
CREATE OR REPLACE MACRO set_ap(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, set_ap(j) AS set_ap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
