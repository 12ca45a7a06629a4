-- Pages of two rankings interleaved by balance: the clicks that each ranking earned, as rows for the
--     aggregates of paired. With the lowest click at the ranks i of a and j of b, k = min(i, j), a ranking earns the
--     clicks on its first k documents.
-- pages: table or file with a row for each document shown: page_id, clicked (0 or 1), position on the page, and rank_a
--     and rank_b: its rank in each ranking, NULL if it is not there
-- unit: as for team_credit
-- refuses: unusable_pages, unusable_ranks
-- groups: metric, segment, run_id, baseline
-- once: query_id
-- returns metric, segment, run_id, baseline, query_id, score, baseline_score, difference, outcome, scale: as in
--     team_credit
-- source: Chapelle, Joachims, Radlinski and Yue 2012, doi:10.1145/2094072.2094078
CREATE OR REPLACE MACRO balanced_credit(pages, unit VARCHAR := 'page') AS TABLE
WITH _pages AS (
    SELECT
        _s.page_id,
        min(_s.user_id) AS user_id,
        count(CASE WHEN _s.clicked = 1 AND _s.rank_a <= _s.depth THEN 1 END) AS clicks_a,
        count(CASE WHEN _s.clicked = 1 AND _s.rank_b <= _s.depth THEN 1 END) AS clicks_b
    FROM (
        SELECT
            _l.*,
            max_by(least(_l.rank_a, _l.rank_b), _l.position) FILTER (_l.clicked = 1)
                OVER (PARTITION BY _l.page_id) AS depth
        FROM interleaved(pages) AS _l
    ) AS _s
    GROUP BY _s.page_id
)
SELECT * FROM credited(_pages, unit);
