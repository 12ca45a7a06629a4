-- How far two metrics or sets of judgments order runs alike: every two metrics, or each metric by two sets of
--     judgments.
-- scores_a: table or file of scores of queries, as evaluate --per-query writes them: run_id, metric, query_id, score;
--     of two runs or more
-- scores_b: optional; scores of the same runs, such as by other judgments: each metric is compared with the same one
--     there. Without them, every two metrics of the first are compared
-- p: as for rbo; how likely a reader is to go on to the next run: a higher one looks further down
-- queries: 'all' or 'common'; whether all count, or of two tables only those that both have
-- refuses: unusable_scores, repeated_scores
-- returns metric, other_metric: what is compared
-- returns runs: number of runs
-- returns kendall_tau: tau-b
-- returns tau_ap: that of the order by the other metric, with the first as the truth; of tied runs, the mean over all
--     orders
-- returns spearman: the correlation of ranks
-- returns rbo: rank-biased overlap; of tied runs, the mean over all orders
-- example: scores.csv
CREATE OR REPLACE MACRO order_agreement(
    scores_a, scores_b, p DOUBLE := 9e-1, queries VARCHAR := 'all'
) AS TABLE
WITH _means AS (
    SELECT * FROM means_twice(scores_a, scores_b, queries)
), _steps AS (
    -- means that are equal up to rounding share a place
    SELECT
        _m.*,
        CASE
            WHEN _m.mean - lag(_m.mean) OVER (PARTITION BY _m.side, _m.metric ORDER BY _m.mean ASC) > 1e-12 * _m.size
                THEN 1e0
            ELSE 0e0
        END AS step
    FROM _means AS _m
), _places AS MATERIALIZED (
    SELECT
        _t.side,
        _t.metric,
        _t.run_id,
        sum(_t.step) OVER (
            PARTITION BY _t.side, _t.metric ORDER BY _t.mean ASC ROWS UNBOUNDED PRECEDING
        ) AS place
    FROM _steps AS _t
), _metrics AS MATERIALIZED (
    SELECT 'a' AS side, _m.* FROM metric_places(scores_a) AS _m
    UNION ALL
    SELECT 'b' AS side, _m.* FROM metric_places(scores_b) AS _m
), _pairs AS MATERIALIZED (
    SELECT
        row_number() OVER (ORDER BY _a.place ASC, _b.place ASC) AS segment,
        _a.metric,
        _a.place,
        _b.metric AS other_metric,
        _b.place AS other_place,
        _b.side
    FROM _metrics AS _a
    INNER JOIN _metrics AS _b
        ON CASE
            WHEN 'b' NOT IN (SELECT _n.side FROM _metrics AS _n) THEN _a.place < _b.place
            ELSE _b.side = 'b' AND _a.metric = _b.metric
        END
    WHERE _a.side = 'a'
), _listed AS MATERIALIZED (
    SELECT
        _p.segment,
        _a.run_id AS item,
        _a.place AS a,
        _b.place AS b
    FROM _pairs AS _p
    INNER JOIN _places AS _a ON _a.side = 'a' AND _p.metric = _a.metric
    INNER JOIN _places AS _b ON _p.side = _b.side AND _p.other_metric = _b.metric AND _a.run_id = _b.run_id
), _problems AS (
    SELECT
        CASE
            WHEN count(CASE WHEN _m.side = 'b' THEN 1 END) = 0
                THEN concat(min(_m.metric), ' is the only metric; comparing orders needs another')
            ELSE concat(
                'no metric in common: ', listed_names(_m.metric, _m.place, _m.side = 'a'),
                ' here, ', listed_names(_m.metric, _m.place, _m.side = 'b'), ' there'
            )
        END AS problem
    FROM _metrics AS _m
    HAVING (SELECT count(*) FROM _pairs) = 0
    UNION ALL
    SELECT concat(_p.metric, ' and ', _p.other_metric, ' have fewer than two runs in common') AS problem
    FROM _pairs AS _p
    LEFT JOIN _listed AS _l ON _p.segment = _l.segment
    GROUP BY _p.metric, _p.other_metric
    HAVING count(_l.item) < 2
), _found AS (
    SELECT
        _o.segment,
        count(*) AS runs,
        kendall_tau(_o) AS kendall_tau,
        tau_ap(_o) AS tau_ap,
        spearman(_o) AS spearman,
        rbo(_o, p := p) AS rbo
    FROM ordered(_listed) AS _o
    GROUP BY _o.segment
)
SELECT
    _p.metric,
    _p.other_metric,
    _f.* EXCLUDE (segment)
FROM (SELECT must_hold((SELECT min(_e.problem) FROM _problems AS _e)) AS holds) AS _h
LEFT JOIN _found AS _f ON _h.holds = (_f.runs > 0)
LEFT JOIN _pairs AS _p ON _f.segment = _p.segment
ORDER BY _p.place ASC, _p.other_place ASC;
