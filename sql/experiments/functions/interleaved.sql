-- The documents of interleaved pages, ids as text and values as numbers.
-- pages: table or file with a row for each document shown: page_id, clicked and, if there are any, user_id, team,
--     position, rank_a, rank_b
-- returns page_id, user_id, team: as text
-- returns clicked, position, rank_a, rank_b: NULL if not a number
-- returns given_clicked, given_position, given_rank_a, given_rank_b: the values, as text
-- returns has_user_id, has_team, has_ranks: whether the table has the columns
-- returns fitting: the method that fits the columns: 'balanced' with rank_a and without team, else 'team'
-- needs: page_id, clicked
CREATE OR REPLACE MACRO interleaved(pages) AS TABLE
SELECT
    CAST(_l.page_id AS VARCHAR) COLLATE C AS page_id,
    number_or_null(_l.clicked) AS clicked,
    CAST(_l.user_id AS VARCHAR) COLLATE C AS user_id,
    lower(nullif(CAST(_l.team AS VARCHAR), '')) AS team,
    TRY_CAST(_l.position AS DOUBLE) AS position,
    TRY_CAST(_l.rank_a AS DOUBLE) AS rank_a,
    TRY_CAST(_l.rank_b AS DOUBLE) AS rank_b,
    CAST(_l.clicked AS VARCHAR) AS given_clicked,
    CAST(_l.position AS VARCHAR) AS given_position,
    CAST(_l.rank_a AS VARCHAR) AS given_rank_a,
    CAST(_l.rank_b AS VARCHAR) AS given_rank_b,
    NOT is_missing(_l.user_id) AS has_user_id,
    NOT is_missing(_l.team) AS has_team,
    NOT is_missing(_l.position) AND NOT is_missing(_l.rank_a) AND NOT is_missing(_l.rank_b) AS has_ranks,
    CASE WHEN is_missing(_l.team) AND NOT is_missing(_l.rank_a) THEN 'balanced' ELSE 'team' END AS fitting
FROM with_columns(
    pages, {
        'page_id': NULL, 'clicked': NULL, 'user_id': NULL, 'team': NULL, 'position': NULL, 'rank_a': NULL,
        'rank_b': NULL
    }
) AS _l;
