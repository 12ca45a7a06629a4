-- Judged documents with the highest precision from their rank on.
-- judged: rows of judged(qrels, run)
-- returns interpolated: the highest precision at a relevant document of this rank or below; NULL if there is none
CREATE OR REPLACE MACRO interpolated(judged) AS TABLE
SELECT
    _j.*,
    max(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1e0 * _j.hits / _j.rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank DESC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS interpolated
FROM query_table(judged) AS _j;
