-- Runs whose scores are 1, 2, 3 … for each query, in the order of the rows. The last document ranks first.
-- severity: warning
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO ranks_as_scores(run) AS TABLE
SELECT
    _q.run_id,
    concat(
        'the scores of each query are 1, 2, 3 …', ' in run ' || nullif(_q.run_id, 'run'),
        '; if they are ranks, name the column rank'
    ) AS problem
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS depth,
        min(_d.score) AS lowest,
        -- 0 if each score is 1 more than the one before
        max(_d.score - _d.place) - min(_d.score - _d.place) AS spread
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            _r.score,
            row_number() OVER () AS place
        FROM retrieved(run) AS _r
    ) AS _d
    GROUP BY _d.run_id, _d.query_id
) AS _q
GROUP BY _q.run_id
HAVING sum(_q.depth) > 2 AND max(_q.depth) > 1 AND min(_q.lowest) >= 0 AND max(_q.lowest) <= 1 AND max(_q.spread) = 0;
