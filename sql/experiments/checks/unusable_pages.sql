-- Rows of interleaved pages that cannot be counted: they lack a page or user, or do not say whether it was clicked.
-- severity: error
-- remedy: each row needs a page_id and clicked as 0 or 1; to count users, each page needs one user_id
-- pages: as for team_credit
-- unit: as for team_credit
CREATE OR REPLACE MACRO unusable_pages(pages, unit VARCHAR := 'page') AS TABLE
SELECT
    _l.page_id,
    CASE
        WHEN _l.page_id IS NULL THEN 'a row has no page_id'
        WHEN NOT coalesce(_l.clicked IN (0, 1), FALSE)
            THEN concat(given_value('clicked', _l.given_clicked), ' on page ', _l.page_id)
        WHEN NOT _l.has_user_id THEN 'no column user_id'
        ELSE concat('no user_id on page ', _l.page_id)
    END AS problem
FROM interleaved(pages) AS _l
WHERE
    _l.page_id IS NULL OR NOT coalesce(_l.clicked IN (0, 1), FALSE) OR (unit = 'user' AND _l.user_id IS NULL)
UNION ALL
SELECT
    _l.page_id,
    concat('page ', _l.page_id, ' belongs to users ', min(_l.user_id), ' and ', max(_l.user_id)) AS problem
FROM interleaved(pages) AS _l
WHERE unit = 'user'
GROUP BY _l.page_id
HAVING min(_l.user_id) <> max(_l.user_id);
