-- Pages that show results of two queries, have two response times, or have a row without results among others.
-- severity: error
-- remedy: give each view of results a page_id of its own
-- log: as for clicked
CREATE OR REPLACE MACRO mixed_pages(log) AS TABLE
SELECT
    CAST(_s.page_id AS VARCHAR) AS page_id,
    CASE
        WHEN min(_s.query_id) <> max(_s.query_id)
            THEN concat('page ', _s.page_id, ' has results of queries ', min(_s.query_id), ' and ', max(_s.query_id))
        WHEN min(_s.response_time) < max(_s.response_time)
            THEN concat(
                'page ', _s.page_id, ' has response times ', min(_s.response_time), ' and ', max(_s.response_time)
            )
        WHEN count(_s.doc_id) = 0 THEN concat('page ', _s.page_id, ' appears ', count(*), ' times without results')
        ELSE concat('page ', _s.page_id, ' has documents and a row without doc_id')
    END AS problem
FROM shown(log) AS _s
WHERE _s.page_id IS NOT NULL
GROUP BY _s.page_id
HAVING
    min(_s.query_id) <> max(_s.query_id)
    OR min(_s.response_time) < max(_s.response_time)
    OR (count(_s.doc_id) < count(*) AND count(*) > 1);
