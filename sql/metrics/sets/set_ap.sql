-- The precision of all that was retrieved times its recall, which is AP without regard to order.
-- name: SetAP
-- formula: P · R = (relevant retrieved)² / (retrieved · R)
-- in trec_eval: set_map
-- in ir_measures: SetAP
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 0
-- source: trec_eval
CREATE OR REPLACE MACRO set_ap(j) AS
    precision_at(j) * recall_at(j);
