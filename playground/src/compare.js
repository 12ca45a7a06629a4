// Runs compared with a baseline, query by query, by the macros of comparisons.
import { code, sql } from "./engine.js";
import { interval, make, show, sign, table } from "./tables.js";

/** What `compare` returns; no difference is larger than that of the highest and the lowest score. */
export function writeTests(metrics, baseline) {
  const most = metrics.map((m) => sql`(${m.name}, ${m.most ?? code("'inf'::DOUBLE")})`);
  return sql`-- the runs against the baseline, by paired t-tests; Holm's correction is for the runs of a metric
SELECT c.* REPLACE (greatest(-r.most, c.low) AS low, least(r.most, c.high) AS high)
FROM compared(scores, baseline := ${baseline}) AS c
JOIN (VALUES ${most}) AS r (metric, most) USING (metric)
ORDER BY metric, c.mean DESC, c.run_id`;
}

/** The queries that changed most from the baseline. */
export function writeChanges(metric, baseline, name) {
  return sql`-- the queries for which a run differs most from the baseline
SELECT p.query_id, p.baseline_score, p.score, p.difference
FROM paired(scores, baseline := ${baseline}) AS p
WHERE p.metric = ${metric.name} AND p.run_id = ${name}
ORDER BY abs(p.difference) DESC, p.query_id
LIMIT 10`;
}

const tone = (row) => (row.significant ? (row.difference > 0 ? "up" : "down") : "");
const mark = (row) => ({ up: " ▲", down: " ▼", "": "" })[tone(row)];
const showP = (p) => (p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** The table of one metric, and how it was tested; `sqlButton` makes the numbers. */
export function drawTests(tests, metrics, metric, baseline, sqlButton) {
  const rows = tests.filter((row) => row.metric === metric.name);
  const most = Math.max(...rows.flatMap((row) => [row.low, row.high, row.difference].map((x) => Math.abs(x ?? 0))));
  const write = () => writeTests(metrics, baseline);
  const each = (name, key, text) => ({
    name,
    key: (row) => row[key],
    cell: (row) => sqlButton(row[key], `${name} of ${row.run_id}`, write, text(row)),
  });
  const ends = (row) => (row.low === null ? "–" : `${sign(row.low)} to ${sign(row.high)}`);
  const drawEnds = (row) => make("span", { class: "ends" }, sqlButton(ends(row), `the interval of ${row.run_id}`, write));
  return [
    table(
      `${metric.name}: the runs against ${baseline}`,
      [
        { name: "run", key: (row) => row.run_id, text: true },
        each(metric.name, "mean", (row) => show(row.mean)),
        each("difference", "difference", (row) => sign(row.difference) + mark(row)),
        {
          name: "interval",
          key: (row) => row.low,
          cell: (row) => make("span", { class: "intervals" }, interval(row, most, tone(row)), drawEnds(row)),
        },
        {
          name: "wins/ties/losses",
          key: (row) => row.wins - row.losses,
          cell: (row) =>
            sqlButton(`${row.wins}/${row.ties}/${row.losses}`, `the wins, ties and losses of ${row.run_id}`, write),
        },
        each("p", "p_corrected", (row) => showP(row.p_corrected)),
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
