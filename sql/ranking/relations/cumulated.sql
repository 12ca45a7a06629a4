-- Judged documents with the gain of the ranking and of the ideal ranking down to the same rank.
-- ranked_and_ideal: rows of ranked_and_ideal(judged)
-- returns preferred_rank: the first rank of a retrieved document with the highest gain; NULL if no document gains
CREATE OR REPLACE MACRO cumulated(ranked_and_ideal) AS TABLE
SELECT
    _p.*,
    first_value(CASE WHEN _p.own_gain > 0 THEN _p.rank END) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY
            CASE WHEN _p.rank IS NOT NULL THEN _p.own_gain END DESC NULLS LAST,
            _p.rank ASC NULLS LAST,
            _p.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS preferred_rank
FROM query_table(ranked_and_ideal) AS _p
WHERE _p.in_ideal = 0;
