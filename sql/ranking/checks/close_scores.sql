-- Retrieved documents with different scores that are the same in 32 bits: trec_eval up to 9 and tools that call it tie
--     them; a preset such as trec_eval-9 gives their scores.
-- severity: warning
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO close_scores(run) AS TABLE
SELECT
    _l.*,
    concat(
        'documents ', _l.higher_doc_id, ' and ', _l.doc_id, ' of query ', _l.query_id,
        ' have scores ', _l.higher_score, ' and ', _l.score, ' in run ' || nullif(_l.run_id, 'run')
    ) AS problem
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        _d.score,
        lag(_d.doc_id) OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.score DESC NULLS LAST, _d.doc_id DESC NULLS LAST
        ) AS higher_doc_id,
        lag(_d.score) OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.score DESC NULLS LAST, _d.doc_id DESC NULLS LAST
        ) AS higher_score
    FROM retrieved(run) AS _d
) AS _l
WHERE _l.higher_score > _l.score AND TRY_CAST(_l.higher_score AS FLOAT) = TRY_CAST(_l.score AS FLOAT);
