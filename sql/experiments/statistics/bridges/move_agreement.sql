-- How often the offline and the online metric move the same way, among the queries where both move.
-- relation: bridged
-- formula: queries with outcome = online_outcome / queries where neither is 0; NULL if there are none
-- range: 0 to 1
CREATE OR REPLACE MACRO move_agreement(b) AS
    avg(
        CASE
            WHEN b.outcome = 0 OR b.online_outcome = 0 THEN NULL
            WHEN b.outcome = b.online_outcome THEN 1e0
            ELSE 0e0
        END
    );
