-- Pages of two rankings interleaved by team draft: the clicks that each team earned, as rows for the
--     aggregates of paired.
-- pages: table or file with a row for each document shown: page_id, clicked (0 or 1) and team: the ranking that it was
--     taken from, 'a' or 'b', NULL for one that earns no credit, such as the first ones if both rankings have the same
-- unit: 'page' or 'user'; whether a row is a page, or a user's pages together, by the column user_id
-- refuses: unusable_pages, unusable_teams
-- groups: metric, segment, run_id, baseline
-- once: query_id
-- returns metric, segment, run_id, baseline: 'clicks', NULL, 'b', 'a'
-- returns query_id: the page, or the user
-- returns score, baseline_score: the clicks on documents of b, and of a
-- returns difference: score - baseline_score
-- returns outcome: 1 if b earned more clicks, 0 for a tie, such as a page without clicks, -1 if it earned fewer
-- returns scale: as in paired
-- source: Radlinski, Kurup and Joachims 2008, doi:10.1145/1458082.1458092
CREATE OR REPLACE MACRO team_credit(pages, unit VARCHAR := 'page') AS TABLE
WITH _pages AS (
    SELECT
        _l.page_id,
        min(_l.user_id) AS user_id,
        sum(CASE WHEN _l.team = 'a' THEN _l.clicked ELSE 0e0 END) AS clicks_a,
        sum(CASE WHEN _l.team = 'b' THEN _l.clicked ELSE 0e0 END) AS clicks_b
    FROM interleaved(pages) AS _l
    GROUP BY _l.page_id
)
SELECT * FROM credited(_pages, unit);
