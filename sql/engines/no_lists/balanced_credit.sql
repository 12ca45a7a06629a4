-- The clicks that two rankings earned on pages of balanced interleaving.
-- pages, unit: as for the other file of this name, which returns the same rows
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
            -- in some engines the least of a number and NULL is NULL
            max(
                CASE
                    WHEN _l.position = _l.last_click
                        THEN least(coalesce(_l.rank_a, _l.rank_b), coalesce(_l.rank_b, _l.rank_a))
                END
            ) OVER (PARTITION BY _l.page_id) AS depth
        FROM (
            SELECT
                _i.*,
                max(CASE WHEN _i.clicked = 1 THEN _i.position END) OVER (PARTITION BY _i.page_id) AS last_click
            FROM interleaved(pages) AS _i
        ) AS _l
    ) AS _s
    GROUP BY _s.page_id
)
SELECT * FROM credited(_pages, unit);
