-- Judged documents with what the ranking and the ideal ranking have gained down to the same rank.
-- judged: rows of judged(qrels, run)
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if its grade is above 0, its grade, or 2^grade - 1, and nothing when its grade is below 0
-- own_gain: what the document gains
-- cg, ideal_cg: what the ranking, and the ideal ranking, gain down to this rank; in all, where the document was not retrieved
-- dcg, ideal_dcg: the same of gains divided by log2(rank + 1)
-- ideal_surplus: what documents of the ideal ranking gain beyond 1 each, down to this rank
-- preferred_rank: the first rank with a document of the highest gain retrieved; NULL when none gains
CREATE OR REPLACE MACRO cumulated(judged, gain := 'linear') AS TABLE
SELECT
    _c.*,
    first_value(CASE WHEN _c.own_gain > 0 THEN _c.rank END) OVER (
        PARTITION BY _c.run_id, _c.query_id
        ORDER BY
            CASE WHEN _c.rank IS NOT NULL THEN _c.own_gain END DESC NULLS LAST,
            _c.rank ASC NULLS LAST,
            _c.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS preferred_rank
FROM (
    SELECT
        _p.*,
        sum(CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0 END) OVER (
            PARTITION BY _p.run_id, _p.query_id
            ORDER BY _p.place ASC NULLS LAST
            RANGE UNBOUNDED PRECEDING
        ) AS cg,
        sum(CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0 END) OVER (
            PARTITION BY _p.run_id, _p.query_id
            ORDER BY _p.place ASC NULLS LAST
            RANGE UNBOUNDED PRECEDING
        ) AS ideal_cg,
        sum(
            CASE
                WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / rank_discount(_p.place, 'log', 2)
                ELSE 0e0
            END
        ) OVER (
            PARTITION BY _p.run_id, _p.query_id
            ORDER BY _p.place ASC NULLS LAST
            RANGE UNBOUNDED PRECEDING
        ) AS dcg,
        sum(
            CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / rank_discount(_p.place, 'log', 2) ELSE 0e0 END
        ) OVER (
            PARTITION BY _p.run_id, _p.query_id
            ORDER BY _p.place ASC NULLS LAST
            RANGE UNBOUNDED PRECEDING
        ) AS ideal_dcg,
        sum(CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0 ELSE 0e0 END) OVER (
            PARTITION BY _p.run_id, _p.query_id
            ORDER BY _p.place ASC NULLS LAST
            RANGE UNBOUNDED PRECEDING
        ) AS ideal_surplus
    FROM (
        -- each document at its rank and at that of the ideal ranking
        SELECT
            _j.*,
            graded_gain(_j.grade, gain) AS own_gain,
            _k.in_ideal,
            CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
        FROM query_table(judged) AS _j
        CROSS JOIN (
            SELECT 0 AS in_ideal
            UNION ALL
            SELECT 1 AS in_ideal
        ) AS _k
    ) AS _p
) AS _c
WHERE _c.in_ideal = 0;
