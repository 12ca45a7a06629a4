-- Scores that cannot be compared: they lack a run, metric or query, are not numbers, or too large.
-- severity: error
-- remedy: each row needs a run_id, a query_id and a score that is a number, not beyond 1e300 or -1e300
-- scores: as for paired
CREATE OR REPLACE MACRO unusable_scores(scores) AS TABLE
SELECT
    _s.run_id,
    _s.metric,
    _s.query_id,
    CASE
        WHEN _s.run_id IS NULL THEN concat('no run_id for query ', _s.query_id)
        WHEN _s.query_id IS NULL THEN concat('no query_id for a score of run ', _s.run_id)
        WHEN _s.metric IS NULL THEN concat('no metric for query ', _s.query_id, ' of run ', _s.run_id)
        ELSE concat(
            given_value(_s.metric, _s.given_score), ' for query ', _s.query_id, ' of run ', _s.run_id
        )
    END AS problem
FROM scored(scores) AS _s
WHERE
    _s.run_id IS NULL OR _s.query_id IS NULL OR _s.metric IS NULL OR _s.score IS NULL
    OR NOT abs(_s.score) <= 1e300;
