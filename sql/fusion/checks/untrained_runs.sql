-- Runs that cannot learn from judgments: they retrieved nothing for the other queries, or these have no judgments.
-- severity: error
-- remedy: give what each run retrieved for judged queries, under the same run_id
-- qrels: as for learned_ranks
-- training: as for learned_ranks
-- run: as for learned_ranks
CREATE OR REPLACE MACRO untrained_runs(qrels, training, run) AS TABLE
SELECT
    _u.run_id,
    concat('run ', _u.run_id, ' has retrieved nothing for judged queries') AS problem
FROM (SELECT DISTINCT _r.run_id FROM retrieved(run) AS _r) AS _u
LEFT JOIN (
    SELECT DISTINCT _t.run_id
    FROM retrieved(training) AS _t
    INNER JOIN (SELECT DISTINCT _j.query_id FROM judgments(qrels) AS _j) AS _q ON _t.query_id = _q.query_id
) AS _k ON _u.run_id = _k.run_id
WHERE _k.run_id IS NULL;
