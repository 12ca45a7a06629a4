-- Where documents were before the instructions of their queries changed, and where they are after: a row for each.
-- changed: table or file of judgments of the documents that the change makes not relevant
-- baseline: as for judged; documents retrieved before, by one run
-- run: as for judged; documents retrieved after
-- refuses: unusable_documents, repeated_documents, several_baselines
-- groups: run_id, query_id
-- once: doc_id
-- returns run_id, query_id, doc_id: one row each; queries that both answer
-- returns rank_before, rank_after: its ranks; one more than the number retrieved if it is not retrieved
-- returns change: 1 - rank_before / rank_after if it fell, rank_after / rank_before - 1 if it rose
CREATE OR REPLACE MACRO moved(changed, baseline, run) AS TABLE
SELECT
    _m.*,
    CASE
        WHEN _m.rank_after > _m.rank_before THEN 1e0 - 1e0 * _m.rank_before / _m.rank_after
        ELSE 1e0 * _m.rank_after / _m.rank_before - 1e0
    END AS change
FROM (
    SELECT
        _k.run_id,
        _q.query_id,
        _q.doc_id,
        coalesce(_b.rank, _l.num_ret + 1) AS rank_before,
        coalesce(_a.rank, _k.num_ret + 1) AS rank_after
    FROM judgments(changed) AS _q
    INNER JOIN (
        SELECT _d.query_id, count(*) AS num_ret
        FROM retrieved(baseline) AS _d
        GROUP BY _d.query_id
    ) AS _l ON _q.query_id = _l.query_id
    INNER JOIN (
        SELECT _d.run_id, _d.query_id, count(*) AS num_ret
        FROM retrieved(run) AS _d
        GROUP BY _d.run_id, _d.query_id
    ) AS _k ON _q.query_id = _k.query_id
    LEFT JOIN rankings(baseline) AS _b
        ON _q.query_id = _b.query_id AND _q.doc_id = _b.doc_id
    LEFT JOIN rankings(run) AS _a
        ON _k.run_id = _a.run_id AND _q.query_id = _a.query_id AND _q.doc_id = _a.doc_id
) AS _m;
