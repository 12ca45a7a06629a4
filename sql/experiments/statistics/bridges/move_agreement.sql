-- How often the offline and the online metric move the same way, among the queries where both move.
-- relation: bridged
-- formula: queries with outcome = online_outcome / queries where neither is 0; NULL if there are none
-- range: 0 to 1
CREATE OR REPLACE MACRO move_agreement(b) AS
    avg(CASE WHEN b.outcome <> 0 AND b.online_outcome <> 0 THEN CAST(b.outcome = b.online_outcome AS INTEGER) END);
