-- The wins minus the losses, as a share of all queries.
-- relation: paired
-- formula: (wins - losses) / n
CREATE OR REPLACE MACRO net_wins(p) AS avg(p.outcome);
