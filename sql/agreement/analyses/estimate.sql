-- Mean scores that people would give: from many judgments by a machine and a few by people. The machine's scores are
--     corrected by how far they are from people's where there are both (prediction-powered inference). The estimate is
--     of the mean over these queries, as if people had judged all of them; those that they did judge must be a random
--     sample.
-- automatic: as for estimated; with the columns lowest and highest if the limits of a metric are not known by its name
-- human: as for estimated
-- alpha: between 0 and 1; intervals have a confidence of 1 - alpha
-- refuses: few_human_scores
-- returns metric, run_id: one row each, of the metrics that both have
-- returns queries, judged: number of queries, and how many of them people judged
-- returns mean: the estimate; the closer the machine's scores follow people's, the more they count
-- returns low, high: its interval, within what the limits of the metric and people's scores leave possible; NULL where
--     people gave all queries that they judged the same score, or always the machine's
-- returns automatic_mean: over all queries
-- returns human_mean, human_low, human_high: from people's judgments alone
-- returns note: why not to trust the interval
-- source: Angelopoulos et al. 2023, doi:10.1126/science.adi6000
-- example: automatic.csv human.csv
CREATE OR REPLACE MACRO estimate(automatic, human, alpha DOUBLE := 5e-2) AS TABLE
WITH _limits AS (
    -- scores beyond the limits are on another scale, such as nDCG in per cent
    SELECT
        _s.metric,
        coalesce(min(_s.score) >= max(_s.lowest), TRUE) AND coalesce(max(_s.score) <= min(_s.highest), TRUE) AS holds,
        max(_s.lowest) AS lowest,
        min(_s.highest) AS highest
    FROM (
        SELECT * FROM scored(automatic)
        UNION ALL
        SELECT * FROM scored(human)
    ) AS _s
    GROUP BY _s.metric
), _judged AS (
    SELECT DISTINCT _h.metric FROM scored(human) AS _h
), _found AS (
    SELECT
        s.metric,
        s.run_id,
        count(*) AS queries,
        count(s.human) AS judged,
        prediction_powered_mean(s) AS mean,
        student_quantile(alpha, greatest(count(s.human) - 2, 1)) * prediction_powered_error(s) AS margin,
        prediction_powered_error(s) AS error,
        avg(s.automatic) AS automatic_mean,
        avg(s.human) AS human_mean,
        max(s.scale) * sqrt(variance_of(s.human / s.scale)) / sqrt(count(s.human))
        * sqrt(1e0 - 1e0 * count(s.human) / count(*)) AS human_error,
        student_quantile(alpha, greatest(count(s.human) - 1, 1)) AS human_t,
        has_spread(s.human) AS varies
    FROM estimated(automatic, human) AS s
    INNER JOIN _judged AS _j ON s.metric = _j.metric
    GROUP BY s.metric, s.run_id
), _bounded AS (
    SELECT
        _f.*,
        _f.judged = _f.queries AS are_all,
        -- what the queries that people judged leave possible
        1e0 * _f.judged / _f.queries * _f.human_mean + CASE
            WHEN _f.judged = _f.queries THEN 0e0
            WHEN _l.holds THEN (1e0 - 1e0 * _f.judged / _f.queries) * _l.lowest
            ELSE -infinity()
        END AS least_mean,
        1e0 * _f.judged / _f.queries * _f.human_mean + CASE
            WHEN _f.judged = _f.queries THEN 0e0
            WHEN _l.holds THEN (1e0 - 1e0 * _f.judged / _f.queries) * _l.highest
            ELSE infinity()
        END AS most_mean
    FROM _found AS _f
    INNER JOIN _limits AS _l ON _f.metric = _l.metric
), _ends AS (
    -- what does not vary among the queries that people judged may vary among the others
    SELECT
        _b.*,
        _b.are_all OR (_b.varies AND _b.error > 1e-6 * _b.human_error) AS has_interval,
        _b.are_all OR _b.varies AS has_own
    FROM _bounded AS _b
)
SELECT
    _e.metric,
    _e.run_id,
    _e.queries,
    _e.judged,
    clipped(_e.mean, _e.least_mean, _e.most_mean) AS mean,
    CASE WHEN _e.has_interval THEN clipped(_e.mean - _e.margin, _e.least_mean, _e.most_mean) END AS low,
    CASE WHEN _e.has_interval THEN clipped(_e.mean + _e.margin, _e.least_mean, _e.most_mean) END AS high,
    _e.automatic_mean,
    _e.human_mean,
    CASE
        WHEN _e.has_own THEN clipped(_e.human_mean - _e.human_t * _e.human_error, _e.least_mean, _e.most_mean)
    END AS human_low,
    CASE
        WHEN _e.has_own THEN clipped(_e.human_mean + _e.human_t * _e.human_error, _e.least_mean, _e.most_mean)
    END AS human_high,
    CASE
        WHEN NOT _e.has_interval
            THEN concat(
                'no interval, since the ', _e.judged,
                ' queries that people judged do not show how far the machine is off in others'
            )
        WHEN NOT _e.are_all AND _e.judged < 20
            THEN concat(
                'people judged ', _e.judged,
                ' queries: intervals from fewer than 20 contain the mean less often than they say'
            )
    END AS note
FROM _ends AS _e
INNER JOIN metric_places(automatic) AS _k ON _e.metric = _k.metric
ORDER BY _k.place ASC, _e.run_id ASC;
