-- Runs with tied documents, whose order is a matter of convention: how far that order can change the scores.
-- severity: warning
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: lowest relevance that counts as relevant
CREATE OR REPLACE MACRO tied_scores(qrels, run, rel := 1) AS TABLE
SELECT
    _t.*,
    _w.ndcg_10 AS ndcg_10_worst,
    _b.ndcg_10 AS ndcg_10_best,
    _w.ap AS ap_worst,
    _b.ap AS ap_best,
    _w.rr AS rr_worst,
    _b.rr AS rr_best,
    concat(
        'run ', _t.run_id, ': ', _t.tied, ' of ', _t.num_ret, ' documents have tied scores',
        format('; nDCG@10 ranges from {:.4f} to {:.4f}', _w.ndcg_10, _b.ndcg_10),
        format(', AP from {:.4f} to {:.4f}', _w.ap, _b.ap),
        format(', RR from {:.4f} to {:.4f}', _w.rr, _b.rr)
    ) AS problem
FROM (
    SELECT
        _s.run_id,
        CAST(sum(CASE WHEN _s.number > 1 THEN _s.number ELSE 0 END) AS BIGINT) AS tied,
        CAST(sum(_s.number) AS BIGINT) AS num_ret
    FROM (
        SELECT
            _d.run_id,
            count(*) AS number
        FROM retrieved(run) AS _d
        GROUP BY _d.run_id, _d.query_id, _d.score
    ) AS _s
    GROUP BY _s.run_id
) AS _t
INNER JOIN (
    SELECT
        _m.run_id,
        avg(_m.ndcg_10) AS ndcg_10,
        avg(_m.ap) AS ap,
        avg(_m.rr) AS rr
    FROM (
        SELECT
            j.run_id,
            ndcg(j, k := 10) AS ndcg_10,
            ap(j) AS ap,
            rr(j) AS rr
        FROM judged(qrels, run, rel := rel, ties := 'worst') AS j
        GROUP BY j.run_id, j.query_id
    ) AS _m
    GROUP BY _m.run_id
) AS _w ON _t.run_id = _w.run_id
INNER JOIN (
    SELECT
        _m.run_id,
        avg(_m.ndcg_10) AS ndcg_10,
        avg(_m.ap) AS ap,
        avg(_m.rr) AS rr
    FROM (
        SELECT
            j.run_id,
            ndcg(j, k := 10) AS ndcg_10,
            ap(j) AS ap,
            rr(j) AS rr
        FROM judged(qrels, run, rel := rel, ties := 'best') AS j
        GROUP BY j.run_id, j.query_id
    ) AS _m
    GROUP BY _m.run_id
) AS _b ON _t.run_id = _b.run_id
WHERE _t.tied > 0;
