-- How sure a run seems of its answer to each query, by its scores.
-- run: as for judged; retrieved documents
-- refuses: unusable_documents, repeated_documents
-- returns run_id, query_id: one row each
-- returns highest: the highest score
-- returns spread: the standard deviation of the scores
-- returns gap: how far the highest score is above the second, 0 without a second
-- returns is_scored: 1 if the run has scores here other than the negative of the rank, else 0
-- source: Gisserot-Boukhlef et al. 2024, arXiv:2402.12997; mteb calls them max, std and diff1
CREATE OR REPLACE MACRO confidences(run) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    max(_r.score) AS highest,
    stddev_pop(_r.score) AS spread,
    max(_r.score) - coalesce(max(CASE WHEN _r.rank = 2 THEN _r.score END), max(_r.score)) AS gap,
    max(CASE WHEN _r.score + _r.rank <> 0 THEN 1 ELSE 0 END) AS is_scored
FROM rankings(run) AS _r
GROUP BY _r.run_id, _r.query_id;
