-- Rows of agreed or rated for queries drawn with replacement: each sample with how often its rows count, for a
--     bootstrap of any agreement.
-- agreed: rows of agreed or rated
-- samples: 1 or more; how many to draw
-- seed: of the random draws: the same seed gives the same samples
-- first: 0 or more; the number of the first one, to draw many in portions
-- groups: sample
-- returns sample: 0, 1, …
-- returns times: how often the query was drawn, and the row counted before
CREATE OR REPLACE MACRO resampled_queries(agreed, samples BIGINT := 2000, seed BIGINT := 0, first BIGINT := 0) AS TABLE
WITH _queries AS MATERIALIZED (
    SELECT
        _q.query_id,
        row_number() OVER (ORDER BY _q.query_id ASC) - 1 AS place,
        count(*) OVER () AS num_queries
    FROM (SELECT DISTINCT _a.query_id FROM query_table(agreed) AS _a) AS _q
), _draws AS (
    SELECT
        _s.sample,
        drawn_place(concat(seed, ':', _s.sample, ':', _q.place), _q.num_queries) AS place,
        count(*) AS drawn
    FROM _queries AS _q
    CROSS JOIN range(first, first + samples) AS _s (sample)
    GROUP BY ALL
)
SELECT
    _d.sample,
    _a.* REPLACE (_a.times * _d.drawn AS times, NULL AS document)
FROM query_table(agreed) AS _a
INNER JOIN _queries AS _q ON _a.query_id = _q.query_id
INNER JOIN _draws AS _d ON _q.place = _d.place;
