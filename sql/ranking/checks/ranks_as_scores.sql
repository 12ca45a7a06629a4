-- Runs whose scores are 1, 2, 3 … in each query: if they are ranks, the best document comes last. Name the column rank.
-- severity: warning
-- noted: it may turn a result around
-- run: as for judged; retrieved documents
-- returns queries: how many there are
CREATE OR REPLACE MACRO ranks_as_scores(run) AS TABLE
SELECT
    _l.run_id,
    count(*) AS queries,
    concat(
        'run ' || nullif(_l.run_id, 'run') || ': ', 'the scores of each query are ',
        CAST(min(_l.lowest) AS BIGINT), ', ', CAST(min(_l.lowest) AS BIGINT) + 1, ', ',
        CAST(min(_l.lowest) AS BIGINT) + 2, ' …, and ', CAST(min(_l.lowest) AS BIGINT),
        ' ranks last; if they are places, name the column rank'
    ) AS problem
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS number,
        min(_d.score) AS lowest,
        max(_d.score) AS highest,
        arg_min(_d.score, _d.place) AS first_score,
        count(DISTINCT _d.score) AS scores,
        min(CASE WHEN _d.score = floor(_d.score) THEN 1 ELSE 0 END) AS are_whole
    FROM (SELECT *, row_number() OVER () AS place FROM retrieved(run)) AS _d
    GROUP BY _d.run_id, _d.query_id
) AS _l
GROUP BY _l.run_id
HAVING
    min(_l.lowest) IN (0, 1) AND max(_l.lowest) = min(_l.lowest) AND sum(_l.number) > 2
    AND min(CASE WHEN _l.highest - _l.lowest + 1 = _l.number AND _l.scores = _l.number THEN _l.are_whole ELSE 0 END) = 1
    -- a list that begins with the highest is one of scores
    AND max(CASE WHEN _l.first_score < _l.highest THEN 1 ELSE 0 END) = 1;
