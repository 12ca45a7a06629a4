-- Runs of documents from runs of passages.
-- run: as for judged; retrieved passages, whose doc_id is that of the passage
-- mapping: as for passages
-- method: 'best' or 'sum'; what a document scores: as its best passage, or the sum of those that were retrieved
-- returns run_id, query_id, doc_id: one row each, the best first
-- returns score: that of the document
-- returns rank: 1, 2, …
-- example: passages.csv mapping.csv -o documents.csv
CREATE OR REPLACE MACRO collapse(run, mapping, method VARCHAR := 'best') AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score,
    row_number() OVER (
        PARTITION BY _d.run_id, _d.query_id ORDER BY _d.score DESC NULLS LAST, _d.doc_id DESC NULLS LAST
    ) AS rank
FROM (
    SELECT
        _p.run_id,
        _p.query_id,
        _p.doc_id,
        CASE WHEN method = 'sum' THEN passage_sum(_p) ELSE best_passage(_p) END AS score
    FROM passages(run, mapping) AS _p
    GROUP BY _p.run_id, _p.query_id, _p.doc_id
) AS _d
ORDER BY run_id ASC, query_id ASC, rank ASC;
