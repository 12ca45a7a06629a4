-- Judged documents with what the ranking and the ideal ranking have gained down to their rank in the latter.
-- judged: rows of judged(qrels, run)
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if its grade is above 0, its grade, or 2^grade - 1, and nothing when its grade is below 0
-- own_gain: what the document gains
-- dcg, ideal_dcg: gain of the ranking, and of the ideal ranking, down to this document's ideal_rank, each divided by log2(rank + 1)
-- level_end: the last ideal_rank of documents with this gain
CREATE OR REPLACE MACRO levelled(judged, gain := 'linear') AS TABLE
SELECT
    _c.*,
    max(_c.ideal_rank) OVER (PARTITION BY _c.run_id, _c.query_id, _c.own_gain) AS level_end
FROM (
    SELECT
        _p.*,
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
        ) AS ideal_dcg
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
WHERE _c.in_ideal = 1;
