-- Every user of the history, with the length of the list that each run has for the user.
-- rankings: rows of rankings
-- history: as for popularity; what users had before
-- refuses: unusable_history
-- returns run_id, query_id: one row each
-- returns num_ret: items of the list, 0 if there is none
CREATE OR REPLACE MACRO served(rankings, history) AS TABLE
SELECT
    _u.run_id,
    _h.query_id,
    coalesce(_l.num_ret, 0) AS num_ret
FROM (SELECT DISTINCT _i.query_id FROM interactions(history) AS _i) AS _h
CROSS JOIN (SELECT DISTINCT _r.run_id FROM query_table(rankings) AS _r) AS _u
LEFT JOIN query_table(rankings) AS _l
    ON _u.run_id = _l.run_id AND _h.query_id = _l.query_id AND _l.rank = 1;
