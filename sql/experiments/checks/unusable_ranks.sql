-- Documents of interleaved pages whose place is unknown, or the same as that of another.
-- severity: error
-- remedy: each document needs a position on its page, and its whole rank in a, in b or in both
-- pages: as for balanced_credit
-- method: as for interleaving; pages that are credited by the other method are not checked
CREATE OR REPLACE MACRO unusable_ranks(pages, method VARCHAR := 'balanced') AS TABLE
SELECT
    _l.page_id,
    CASE
        WHEN NOT _l.has_ranks THEN 'the columns position, rank_a and rank_b are needed'
        WHEN _l.position IS NULL OR NOT isfinite(_l.position)
            THEN concat(given_value('position', _l.given_position), ' on page ', _l.page_id)
        WHEN _l.given_rank_a IS NOT NULL AND NOT is_rank(_l.rank_a)
            THEN concat('rank_a ''', _l.given_rank_a, ''' on page ', _l.page_id)
        WHEN _l.given_rank_b IS NOT NULL AND NOT is_rank(_l.rank_b)
            THEN concat('rank_b ''', _l.given_rank_b, ''' on page ', _l.page_id)
        ELSE concat('a document of page ', _l.page_id, ' is in neither ranking')
    END AS problem
FROM interleaved(pages) AS _l
WHERE
    coalesce(method, _l.fitting) = 'balanced'
    AND (
        NOT _l.has_ranks OR _l.position IS NULL OR NOT isfinite(_l.position)
        OR (_l.given_rank_a IS NOT NULL AND NOT is_rank(_l.rank_a))
        OR (_l.given_rank_b IS NOT NULL AND NOT is_rank(_l.rank_b))
        OR (_l.given_rank_a IS NULL AND _l.given_rank_b IS NULL)
    )
UNION ALL
SELECT
    _l.page_id,
    concat('two documents of page ', _l.page_id, ' have the same position or rank') AS problem
FROM interleaved(pages) AS _l
WHERE coalesce(method, _l.fitting) = 'balanced'
GROUP BY _l.page_id
HAVING
    count(_l.position) <> count(DISTINCT _l.position)
    OR count(_l.rank_a) <> count(DISTINCT _l.rank_a)
    OR count(_l.rank_b) <> count(DISTINCT _l.rank_b);
