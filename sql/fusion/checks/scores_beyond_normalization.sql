-- Lists whose scores cannot be normalized: one is infinite, or none is above 0 where they are divided by the highest.
-- severity: error
-- remedy: use the normalization rank, or none if the method uses ranks only
-- run: as for candidates
-- normalization: as for candidates; what is asked for
-- returns score: the highest of the list
CREATE OR REPLACE MACRO scores_beyond_normalization(run, normalization VARCHAR := 'min_max') AS TABLE
SELECT
    _l.run_id,
    _l.query_id,
    _l.highest AS score,
    concat(
        'run ', _l.run_id, ' has scores from ', _l.lowest, ' to ', _l.highest, ' for query ', _l.query_id,
        ', which ', normalization, ' cannot normalize'
    ) AS problem
FROM (
    SELECT
        _r.run_id,
        _r.query_id,
        min(_r.score) AS lowest,
        max(_r.score) AS highest
    FROM retrieved(run) AS _r
    GROUP BY _r.run_id, _r.query_id
) AS _l
WHERE
    normalization NOT IN ('rank', 'none')
    AND (
        NOT isfinite(_l.lowest) OR NOT isfinite(_l.highest) OR NOT isfinite(_l.highest - _l.lowest)
        OR (_l.highest <= 0 AND normalization = 'max')
    );
