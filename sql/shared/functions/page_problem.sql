-- What is wrong with the rows of a group over which pages are counted; NULL if each page is complete.
-- metric: its name
-- page_rows: column that holds the number of rows of each page in one of its rows, and 0 in the others
-- page_id: column
CREATE OR REPLACE MACRO page_problem(metric, page_rows, page_id) AS
    CASE
        WHEN
            sum(page_rows) <> count(*)
            OR count(CASE WHEN page_rows > 0 THEN 1 END) <> count(DISTINCT CASE WHEN page_rows > 0 THEN page_id END)
            THEN concat(
                metric, ': a group must have each row of its pages exactly once; a WHERE, a JOIN or a GROUP BY has ',
                'split or repeated the rows of a page. Keep or leave out whole pages'
            )
    END;
