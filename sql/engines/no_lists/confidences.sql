-- How sure a run seems of its answer to each query, with the standard deviation by sums: from the highest score, so
--     that it is 0 where all scores are equal.
-- run: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO confidences(run) AS TABLE
SELECT
    _s.run_id,
    _s.query_id,
    _s.highest,
    sqrt(greatest(avg(_s.below * _s.below) - power(avg(_s.below), 2), 0e0)) AS spread,
    coalesce(min(CASE WHEN _s.rank = 2 THEN _s.below END), 0e0) AS gap,
    max(CASE WHEN _s.score + _s.rank <> 0 THEN 1 ELSE 0 END) AS is_scored
FROM (
    SELECT
        _r.run_id,
        _r.query_id,
        _r.rank,
        _r.score,
        max(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) AS highest,
        max(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) - _r.score AS below
    FROM rankings(run) AS _r
) AS _s
GROUP BY _s.run_id, _s.query_id, _s.highest;
