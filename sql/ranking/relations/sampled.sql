-- Judged documents with the number of unjudged pooled documents above them.
-- judged: rows of judged(qrels, run)
-- returns skips: documents with a relevance below 0 retrieved at this rank or above
CREATE OR REPLACE MACRO sampled(judged) AS TABLE
SELECT
    _j.*,
    count(CASE WHEN _j.relevance < 0 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS skips
FROM query_table(judged) AS _j;
