// Runs compared with a baseline, query by query, by the macros of comparisons.
import { quote } from "./engine.js";

const ALPHA = 0.05;

/** What `compare` returns: differences, intervals and p-values, corrected by Holm's method. */
export function writeTests(metrics, baseline) {
  const most = metrics.map((m) => `(${quote(m.name)}, ${m.most ?? "'inf'::DOUBLE"})`).join(", ");
  return `-- the runs against ${baseline.replaceAll("\n", " ")}, by paired t-tests; Holm's correction is for the runs of a metric
WITH pairs AS (FROM paired(scores, baseline := ${quote(baseline)})),
tests AS (
    SELECT
        q.metric AS family, q.run_id, count(*) AS queries, avg(q.score) AS mean,
        mean_difference(q) AS difference, wins(q) AS wins, ties(q) AS ties, losses(q) AS losses,
        cohen_dz(q) AS effect, paired_t(q) AS p
    FROM pairs AS q
    GROUP BY q.metric, q.run_id, q.baseline
),
-- each interval has the confidence at which its row is tested, so that both agree
levels AS (
    SELECT *, 1 - ${ALPHA} / greatest(1, count(p) OVER family - least(
        rank() OVER (PARTITION BY family ORDER BY p) - 1, count(CASE WHEN holm < ${ALPHA} THEN 1 END) OVER family
    )) AS confidence
    FROM corrected(tests)
    WINDOW family AS (PARTITION BY family)
),
margins AS (
    SELECT q.metric, q.run_id, margin_of_error(q, confidence := l.confidence) AS margin
    FROM pairs AS q JOIN levels AS l ON q.metric = l.family AND q.run_id = l.run_id
    GROUP BY q.metric, q.run_id, q.baseline, l.confidence
),
ranges AS (FROM (VALUES ${most}) AS r (metric, most))
SELECT
    m.metric, m.run_id, l.queries, l.mean, l.difference,
    CASE WHEN l.effect IS NOT NULL THEN greatest(-r.most, l.difference - m.margin) END AS low,
    CASE WHEN l.effect IS NOT NULL THEN least(r.most, l.difference + m.margin) END AS high,
    l.confidence, l.wins, l.ties, l.losses, l.effect, l.p, l.holm AS p_corrected
FROM margins AS m
JOIN levels AS l ON m.metric = l.family AND m.run_id = l.run_id
JOIN ranges AS r ON m.metric = r.metric
ORDER BY m.metric, l.mean DESC, m.run_id`;
}

export const isSignificant = (row) =>
  row.p_corrected !== null && row.p_corrected < ALPHA && !(row.low <= 0 && row.high >= 0);

/** The queries that changed most from the baseline. */
export function writeChanges(metric, baseline, name) {
  return `-- the queries for which ${name} differs most from ${baseline} by ${metric.name}
SELECT p.query_id, p.baseline_score, p.score, p.difference
FROM paired(scores, baseline := ${quote(baseline)}) AS p
WHERE p.metric = ${quote(metric.name)} AND p.run_id = ${quote(name)}
ORDER BY abs(p.difference) DESC, p.query_id
LIMIT 10`;
}
