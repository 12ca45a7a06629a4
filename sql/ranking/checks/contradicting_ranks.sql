-- Retrieved documents whose rank contradicts their score: a lower-ranked document scores higher. The score decides.
-- severity: warning
-- noted: it may turn a result around
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO contradicting_ranks(run) AS TABLE
SELECT
    _l.*,
    concat(
        document_of(_l.query_id, _l.doc_id), ' has rank ', in_digits(_l.listed_rank), ' and score ', _l.score,
        ', but a lower-ranked document has score ', _l.lower_score, ' in run ' || nullif(_l.run_id, 'run')
    ) AS problem
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        _d.listed_rank,
        _d.score,
        max(_d.score) OVER (
            PARTITION BY _d.run_id, _d.query_id
            -- of documents with the same rank, those before have no higher score
            ORDER BY _d.listed_rank DESC NULLS LAST, _d.score ASC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS lower_score
    FROM retrieved(run) AS _d
    WHERE _d.listed_rank IS NOT NULL
) AS _l
WHERE _l.lower_score > _l.score;
