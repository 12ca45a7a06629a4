-- The rows of paired for weighted queries: each as what it adds to the ratio of sums, so that plain means are weighted
--     ones (delta method). Without weights, they are as they are.
-- scores: as for compared
-- baseline, within: as for paired
-- returns metric, segment, run_id, baseline, query_id, outcome, scale: as in paired
-- returns score, baseline_score, difference: m + weight · (score - m) / the mean weight, m their weighted mean
-- returns weight: that of the query, as a share of the mean weight; NULL without weights
CREATE OR REPLACE MACRO weighted(scores, baseline, within) AS TABLE
WITH _weights AS (
    SELECT
        _s.metric,
        _s.segment,
        _s.query_id,
        max(_s.weight) AS weight
    FROM scored(scores) AS _s
    WHERE weight_holds(_s.weight, (SELECT max(_t.weight) FROM scored(scores) AS _t), _s.query_id)
    GROUP BY _s.metric, _s.segment, _s.query_id
    HAVING
        must_hold(
            CASE
                WHEN min(_s.weight) < max(_s.weight)
                    THEN concat('the weight of query ', _s.query_id, ' must be the same for all runs')
            END
        )
), _means AS (
    SELECT
        _p.*,
        _w.weight / avg(_w.weight) OVER (PARTITION BY _p.metric, _p.segment, _p.run_id, _p.baseline) AS weight,
        sum(_w.weight * _p.score) OVER (PARTITION BY _p.metric, _p.segment, _p.run_id, _p.baseline)
        / sum(_w.weight) OVER (PARTITION BY _p.metric, _p.segment, _p.run_id, _p.baseline) AS mean,
        sum(_w.weight * _p.baseline_score) OVER (PARTITION BY _p.metric, _p.segment, _p.run_id, _p.baseline)
        / sum(_w.weight) OVER (PARTITION BY _p.metric, _p.segment, _p.run_id, _p.baseline) AS baseline_mean
    FROM paired(scores, baseline := baseline, within := within) AS _p
    INNER JOIN _weights AS _w
        ON
            _p.metric = _w.metric
            AND _p.segment IS NOT DISTINCT FROM _w.segment
            AND _p.query_id = _w.query_id
    WHERE coalesce(_w.weight, 1) <> 0
)
SELECT
    _m.* EXCLUDE (mean, baseline_mean) REPLACE (
        coalesce(_m.mean + _m.weight * (_m.score - _m.mean), _m.score) AS score,
        coalesce(
            _m.baseline_mean + _m.weight * (_m.baseline_score - _m.baseline_mean), _m.baseline_score
        ) AS baseline_score,
        coalesce(
            (_m.mean - _m.baseline_mean)
            + _m.weight * (_m.difference - (_m.mean - _m.baseline_mean)),
            _m.difference
        ) AS difference
    )
FROM _means AS _m;
