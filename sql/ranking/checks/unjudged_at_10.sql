-- Runs with unjudged documents in the top 10 of a judged query; they count as not relevant.
-- severity: warning
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unjudged_at_10(qrels, run) AS TABLE
SELECT
    _r.*,
    concat(
        'run ', _r.run_id, ': ', in_decimals(100e0 * _r.judged, 1), '% of the top 10 are judged'
    ) AS problem
FROM (
    SELECT
        _s.run_id,
        avg(_s.judged) AS judged
    FROM (
        SELECT
            j.run_id,
            judged_at(j, k := 10) AS judged
        FROM judged(qrels, run) AS j
        WHERE j.has_results = 1
        GROUP BY j.run_id, j.query_id
    ) AS _s
    GROUP BY _s.run_id
) AS _r
WHERE _r.judged < 1;
