-- Runs with tied documents, whose order is a matter of convention: how far that order can change the scores.
-- severity: warning
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: lowest relevance that counts as relevant
CREATE OR REPLACE MACRO tied_scores(qrels, run, rel := 1) AS TABLE
WITH _orders AS (
    SELECT *, 'worst' AS ties FROM judged(qrels, run, rel := rel, ties := 'worst')
    UNION ALL
    SELECT *, 'best' AS ties FROM judged(qrels, run, rel := rel, ties := 'best')
), _scores AS (
    SELECT
        j.run_id,
        j.ties,
        ndcg(j, k := 10) AS ndcg_10,
        ap(j) AS ap,
        rr(j) AS rr
    FROM _orders AS j
    GROUP BY j.run_id, j.query_id, j.ties
), _means AS (
    SELECT
        _s.run_id,
        avg(CASE WHEN _s.ties = 'worst' THEN _s.ndcg_10 END) AS ndcg_10_worst,
        avg(CASE WHEN _s.ties = 'best' THEN _s.ndcg_10 END) AS ndcg_10_best,
        avg(CASE WHEN _s.ties = 'worst' THEN _s.ap END) AS ap_worst,
        avg(CASE WHEN _s.ties = 'best' THEN _s.ap END) AS ap_best,
        avg(CASE WHEN _s.ties = 'worst' THEN _s.rr END) AS rr_worst,
        avg(CASE WHEN _s.ties = 'best' THEN _s.rr END) AS rr_best
    FROM _scores AS _s
    GROUP BY _s.run_id
), _tied AS (
    SELECT
        _d.run_id,
        sum(CASE WHEN _d.num_tied > 1 THEN _d.num_tied ELSE 0 END) AS tied,
        sum(_d.num_tied) AS num_ret
    FROM (
        SELECT
            _r.run_id,
            count(*) AS num_tied
        FROM retrieved(run) AS _r
        GROUP BY _r.run_id, _r.query_id, _r.score
    ) AS _d
    GROUP BY _d.run_id
)
SELECT
    _t.*,
    _m.* EXCLUDE (run_id),
    concat(
        'run ', _t.run_id, ': ', _t.tied, ' of ', _t.num_ret, ' documents have tied scores',
        '; nDCG@10 ranges from ', in_decimals(_m.ndcg_10_worst, 4), ' to ', in_decimals(_m.ndcg_10_best, 4),
        ', AP from ', in_decimals(_m.ap_worst, 4), ' to ', in_decimals(_m.ap_best, 4),
        ', RR from ', in_decimals(_m.rr_worst, 4), ' to ', in_decimals(_m.rr_best, 4)
    ) AS problem
FROM _tied AS _t
INNER JOIN _means AS _m ON _t.run_id = _m.run_id
WHERE _t.tied > 0;
