-- The precision of everything retrieved times its recall: AP regardless of order.
-- name: SetAP
-- formula: P · R = (relevant retrieved)² / (retrieved · R)
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 0
-- source: trec_eval
CREATE OR REPLACE MACRO set_ap(j) AS
    ratio(tp(j, NULL) * tp(j, NULL), once_per_query(j, j.num_ret * j.num_rel));
