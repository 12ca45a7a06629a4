// Metrics: names become calls of macros, and these the table scores.
import { quote, quoteName, run } from "./engine.js";
import facts from "facts";

const fold = (name) => name.toLowerCase().replaceAll("_", "");
const NAME = /^([^\s,()@]+)(?:\(((?:[^()'"]|'[^']*'|"[^"]*")*)\))?(?:@([\d.,]+))?(?=[\s,]|$)/;

/** The metrics of a text such as `nDCG@10 AP(rel=2)@100`: name, macro and arguments of each. */
export function parse(text) {
  const found = [];
  let rest = text.replace(/^[\s,]+/, "");
  while (rest) {
    const read = NAME.exec(rest);
    if (!read) throw new Error(`Invalid metric '${rest.split(/\s/)[0]}'; expected e.g. nDCG@10 or AP(rel=2)@100`);
    found.push(...resolve(...read));
    rest = rest.slice(read[0].length).replace(/^[\s,]+/, "");
  }
  if (!found.length) throw new Error("no metrics; name at least one, such as 'nDCG@10 AP'");
  const once = new Map(found.map((metric) => [metric.name.toLowerCase(), metric]));
  return [...once.values()];
}

function resolve(whole, named, given, at) {
  // constructor is not a metric
  const own = (name) => (Object.hasOwn(facts.names, name) ? facts.names[name] : undefined);
  const find = (name) => own(name) ?? own(fold(name));
  let known = find(named);
  const parts = /^(.*?[^_\d.])(?:_at_|_)?(\d+)$/.exec(named); // P_10
  if (!known && !at && parts) [known, at] = [find(parts[1]), parts[2]];
  if (!known) throw new Error(`No metric named '${named}'; the list has all`);
  const [macro, implied, needsCutoff, alone] = known;
  if (typeof alone === "string" && ((!at && !given) || !facts.metrics[macro])) throw new Error(alone);
  if (alone && !at && !given)
    return alone.map(([name, macro, values]) => ({ name, macro, values, ...facts.metrics[macro] }));
  const metric = { macro, ...facts.metrics[macro] };
  const values = { ...implied, ...readArguments(whole, given) };
  if (needsCutoff && !at && !(metric.cutoff in values))
    throw new Error(`'${whole}' needs a cut-off, such as ${named}@10`);
  if (needsCutoff === false && at) throw new Error(`'${whole}' takes no cut-off`);
  return (at?.split(",") ?? [null]).map((cutoff) => {
    const name = at?.includes(",") ? `${named}${given ? `(${given})` : ""}@${cutoff}` : whole;
    return check({
      ...metric,
      name,
      values: cutoff === null ? values : { ...values, [metric.cutoff]: cutoff },
    });
  });
}

function check(metric) {
  const known = [...metric.own, ...metric.ranking];
  const unknown = Object.keys(metric.values).find((key) => !known.includes(key));
  if (unknown) throw new Error(`'${metric.name}' has no parameter ${unknown}; it has ${known.join(", ")}`);
  return metric;
}

/** `rel=2, gain='exponential'` as values of SQL. */
function readArguments(whole, text) {
  const found = {};
  for (const part of text?.match(/(?:[^,'"{]|'[^']*'|"[^"]*"|\{[^}]*\})+/g) ?? []) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!key) throw new Error(`'${whole}': write arguments as rel=2`);
    found[key] = writeValue(value);
  }
  return found;
}

function writeValue(text) {
  if (/^(true|false)$/i.test(text)) return text.toUpperCase();
  if (/^(none|null)$/i.test(text)) return "NULL";
  if (/^\{.*\}$/.test(text)) return `MAP ${text}`;
  if (/^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text)) return text;
  return quote(text.replace(/^(['"])(.*)\1$/, "$2"));
}

const write = (values, keys) =>
  Object.entries(values)
    .filter(([key]) => keys.includes(key))
    .map(([key, value]) => `, ${key} := ${value}`)
    .join("");

/** The scores of all queries by one metric, as a query that needs nothing but the macros. */
export function writeQuery(metric) {
  return `FROM ${metric.macro}(qrels, runs${write(metric.values, [...metric.own, ...metric.ranking])})`;
}

export function writeScore(metric, name, query) {
  return `-- a run's score for a query\n${writeQuery(metric)}\nWHERE run_id = ${quote(name)} AND query_id = ${quote(query)};`;
}

export function writeMean(metric, name) {
  const how = metric.sum ? "sum" : "avg";
  return `-- a run over all judged queries\nSELECT ${how}(${metric.macro}) AS ${quoteName(metric.name)}, count(*) AS queries\n${writeQuery(metric)}\nWHERE run_id = ${quote(name)};`;
}

/** Fills the table scores. Metrics over the rows of judged share them, so that runs are ranked once. */
export async function score(metrics) {
  const groups = new Map();
  const queries = [];
  for (const metric of metrics) {
    if (metric.relation !== "judged") {
      queries.push(
        `SELECT run_id, query_id, ${quote(metric.name)} AS metric, CAST(${metric.macro} AS DOUBLE) AS score\n${writeQuery(metric)}`,
      );
      continue;
    }
    const rows = `judged(qrels, runs${write(metric.values, metric.ranking)})`;
    if (!groups.has(rows)) groups.set(rows, []);
    groups.get(rows).push(metric);
  }
  for (const [rows, group] of groups) {
    const names = group.map((metric) => quote(metric.name));
    const calls = group.map((metric) => `CAST(${metric.macro}(j${write(metric.values, metric.own)}) AS DOUBLE)`);
    queries.push(
      `SELECT j.run_id, j.query_id, unnest([${names.join(", ")}]) AS metric, unnest([${calls.join(", ")}]) AS score\nFROM ${rows} AS j\nGROUP BY j.run_id, j.query_id`,
    );
  }
  await run(`CREATE OR REPLACE TABLE scores AS\n${queries.join("\nUNION ALL\n")}`);
}

/** A row for each run with its mean by each metric. */
export const writeMeans = (metrics) =>
  `SELECT run_id${columns(metrics, (m) => (m.sum ? "sum" : "avg"))}\nFROM scores\nGROUP BY run_id\nORDER BY run_id`;

/** A row for each query and run with its score by each metric. */
export const writeAll = (metrics) =>
  `SELECT query_id, run_id${columns(metrics, () => "any_value")}\nFROM scores\nGROUP BY query_id, run_id\nORDER BY query_id, run_id`;

const columns = (metrics, how) =>
  metrics.map((m) => `,\n    ${how(m)}(score) FILTER (metric = ${quote(m.name)}) AS ${quoteName(m.name)}`).join("");
