-- How sure a run seems of its answer to each query, by its scores.
-- run: as for judged; retrieved documents
-- refuses: unusable_documents, repeated_documents
-- returns run_id, query_id: one row each
-- returns highest: the highest score
-- returns spread: the standard deviation of the scores, from the highest, so that it is 0 where all are equal
-- returns gap: how far the highest score is above the second, 0 without a second
-- returns is_scored: 1 if the run has scores here other than the negative of the rank, else 0
-- source: Gisserot-Boukhlef et al. 2024, arXiv:2402.12997; mteb calls them max, std and diff1
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
