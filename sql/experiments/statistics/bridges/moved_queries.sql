-- The number of queries where both the offline and the online metric move.
-- relation: bridged
-- formula: queries where neither outcome nor online_outcome is 0
CREATE OR REPLACE MACRO moved_queries(b) AS count(CASE WHEN b.outcome <> 0 AND b.online_outcome <> 0 THEN 1 END);
