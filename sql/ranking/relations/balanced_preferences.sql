-- The rows of preferences, as if each subtopic had as many documents judged not relevant as relevant.
-- preferences: rows of preferences(subtopics)
-- pairs: 'judged', 'either' or 'both'; which preferences count: all, those with at least one document retrieved, or
--     those with both retrieved
-- as_coded: whether to reproduce mistakes in trec_eval, where too many non-relevant documents are compared with one
--     another, where with too few of them relevant documents that were not retrieved are compared even with pairs =
--     'both', and where a subtopic without preferences makes the query score 0
-- returns group_rel, group_nonrel: documents of the subtopic with a relevance above 0, and of 0; with pairs = 'both',
--     only those retrieved
-- returns nonrel_above: those with a relevance of 0 retrieved before this document; all those retrieved, if it was not
--     retrieved
-- returns balanced_possible, balanced_fulfilled: as in preferences, but over the first group_rel documents with a
--     relevance of 0; if there are fewer, over as many more after all others
-- returns balanced_group_possible: preferences of the subtopic that count
CREATE OR REPLACE MACRO balanced_preferences(preferences, pairs VARCHAR := 'judged', as_coded BOOLEAN := FALSE) AS TABLE
SELECT
    _g.*,
    CASE
        WHEN as_coded AND min(_g.balanced_group_possible) OVER (PARTITION BY _g.run_id, _g.query_id) = 0 THEN 0
        ELSE _g.counted_fulfilled
    END AS balanced_fulfilled
FROM (
    SELECT
        _b.*,
        sum(_b.balanced_possible) OVER (
            PARTITION BY _b.run_id, _b.query_id, _b.subtopic
        ) AS balanced_group_possible
    FROM (
        SELECT
            _n.*,
            CASE
                WHEN _n.relevance = 0 AND as_coded AND _n.group_nonrel > _n.group_rel AND _n.is_counted = 1
                    THEN _n.group_rel
                WHEN _n.relevance > 0 AND pairs = 'either' AND _n.rank IS NULL
                    THEN _n.possible - greatest(_n.nonrel_above - _n.group_rel, 0)
                WHEN _n.relevance > 0 AND _n.is_counted = 1 THEN _n.possible - _n.group_nonrel + _n.group_rel
                WHEN _n.relevance > 0 AND as_coded AND _n.group_rel > _n.group_nonrel
                    THEN _n.group_rel - _n.group_nonrel
                ELSE 0
            END AS balanced_possible,
            CASE
                WHEN _n.rank IS NULL THEN 0
                WHEN
                    _n.relevance = 0 AND as_coded
                    AND _n.group_nonrel > _n.group_rel AND _n.group_rel > _n.nonrel_above
                    THEN _n.group_rel - _n.nonrel_above - 1
                WHEN _n.relevance > 0
                    THEN
                        _n.fulfilled - (_n.group_nonrel - _n.nonrel_above)
                        + greatest(_n.group_rel - _n.nonrel_above, 0)
                ELSE 0
            END AS counted_fulfilled
        FROM (
            SELECT
                _c.*,
                sum(CASE WHEN _c.relevance > 0 THEN _c.is_counted ELSE 0 END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                ) AS group_rel,
                sum(CASE WHEN _c.relevance = 0 THEN _c.is_counted ELSE 0 END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                ) AS group_nonrel,
                count(CASE WHEN _c.relevance = 0 THEN _c.rank END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                    ORDER BY _c.rank ASC NULLS LAST, _c.doc_id DESC NULLS LAST
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS nonrel_above
            FROM (
                SELECT
                    _p.*,
                    CASE WHEN pairs <> 'both' OR _p.rank IS NOT NULL THEN 1 ELSE 0 END AS is_counted
                FROM query_table(preferences) AS _p
            ) AS _c
        ) AS _n
    ) AS _b
) AS _g;
