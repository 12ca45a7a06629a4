// Runs compared with a baseline, query by query, by the macros of comparisons.
import { code, sql } from "./engine.js";
import { interval, make, show, sign, table } from "./tables.js";

const ALPHA = 0.05;

/** What `compare` returns: differences, intervals and p-values, corrected by Holm's method. */
export function writeTests(metrics, baseline) {
  const most = metrics.map((m) => sql`(${m.name}, ${m.most ?? code("'inf'::DOUBLE")})`);
  return sql`-- the runs against the baseline, by paired t-tests; Holm's correction is for the runs of a metric
WITH pairs AS (FROM paired(scores, baseline := ${baseline})),
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

const isSignificant = (row) => row.p_corrected !== null && row.p_corrected < ALPHA && !(row.low <= 0 && row.high >= 0);

/** The queries that changed most from the baseline. */
export function writeChanges(metric, baseline, name) {
  return sql`-- the queries for which a run differs most from the baseline
SELECT p.query_id, p.baseline_score, p.score, p.difference
FROM paired(scores, baseline := ${baseline}) AS p
WHERE p.metric = ${metric.name} AND p.run_id = ${name}
ORDER BY abs(p.difference) DESC, p.query_id
LIMIT 10`;
}

const tone = (row) => (isSignificant(row) ? (row.difference > 0 ? "up" : "down") : "");
const mark = (row) => ({ up: " ▲", down: " ▼", "": "" })[tone(row)];
const showP = (p) => (p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** The table of one metric, and how it was tested; `sqlButton` makes the numbers. */
export function drawTests(tests, metrics, metric, baseline, sqlButton) {
  const rows = tests.filter((row) => row.metric === metric.name);
  const most = Math.max(...rows.flatMap((row) => [row.low, row.high, row.difference].map((x) => Math.abs(x ?? 0))));
  const write = () => writeTests(metrics, baseline);
  const each = (name, key, text) => ({
    name,
    key,
    cell: (row) => sqlButton(key(row), `${name} of ${row.run_id}`, write, text(row)),
  });
  return [
    table(
      `${metric.name}: the runs against ${baseline}`,
      [
        { name: "run", key: (row) => row.run_id, text: true },
        each(
          metric.name,
          (row) => row.mean,
          (row) => show(row.mean),
        ),
        each(
          "difference",
          (row) => row.difference,
          (row) => sign(row.difference) + mark(row),
        ),
        {
          name: "interval",
          key: (row) => row.low,
          cell: (row) =>
            make(
              "span",
              { class: "intervals" },
              interval(row, most, tone(row)),
              make(
                "span",
                { class: "ends" },
                sqlButton(
                  row.low === null ? "–" : `${sign(row.low)} to ${sign(row.high)}`,
                  `the interval of ${row.run_id}`,
                  write,
                ),
              ),
            ),
        },
        {
          name: "wins/ties/losses",
          key: (row) => row.wins - row.losses,
          cell: (row) =>
            sqlButton(`${row.wins}/${row.ties}/${row.losses}`, `the wins, ties and losses of ${row.run_id}`, write),
        },
        each(
          "p",
          (row) => row.p_corrected,
          (row) => showP(row.p_corrected),
        ),
      ],
      rows,
      { kind: "tests" },
    ),
    make("p", { class: "note" }, describe(rows, metrics, metric, baseline)),
  ];
}

function describe(rows, metrics, metric, baseline) {
  const percents = rows.map((row) => row.confidence * 100);
  const [least, most] = [Math.min(...percents), Math.max(...percents)].map((percent) => `${+percent.toFixed(1)}%`);
  const corrected = rows.length > 1 ? `, corrected by Holm for the ${rows.length} comparisons of each metric` : "";
  const others = metrics.length > 1 ? `, not corrected for the ${metrics.length} metrics` : "";
  const few = rows[0].queries < 10 ? " With fewer than 10 queries, intervals and p-values are a rough guide." : "";
  const worse = metric.loss ? " Lower is better." : "";
  return `Differences from ${baseline}. p-values are from paired t-tests${corrected}${others}; intervals have ${least === most ? least : `${least} to ${most}`} confidence. ▲▼: significant at 0.05.${few}${worse}`;
}
