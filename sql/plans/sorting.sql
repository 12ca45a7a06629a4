-- The judgments beside every run, with the rank that the run gave to each: sorts the run.
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
-- run_id, query_id, doc_id: one row per run and judgment
-- relevance: the judgment
-- rank: 1, 2, … by score descending, ties by doc_id descending; NULL when not retrieved
-- num_ret: documents retrieved for the query, judged or not
CREATE OR REPLACE MACRO ranked(qrels, run) AS TABLE
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _r.rank,
    coalesce(_n.num_ret, 0) AS num_ret
FROM judgments(qrels) AS _q
CROSS JOIN (SELECT DISTINCT _d.run_id FROM retrieved(run) AS _d) AS _u
LEFT JOIN (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        row_number() OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.score DESC NULLS LAST, _d.doc_id DESC NULLS LAST
        ) AS rank
    FROM retrieved(run) AS _d
) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
LEFT JOIN (
    SELECT _d.run_id, _d.query_id, count(*) AS num_ret
    FROM retrieved(run) AS _d
    GROUP BY _d.run_id, _d.query_id
) AS _n
    ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id;
