// Metrics: names become calls of macros, and these the table scores.
import { code, join, quoteName, run, sql, visible } from "./engine.js";
import facts from "facts";

const fold = (name) => name.toLowerCase().replaceAll("_", "");
const NAME = /^([^\s,()@]+)(?:\(((?:[^()'"]|'[^']*'|"[^"]*")*)\))?(?:@([\d.,]+))?(?=[\s,]|$)/;
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const IS_NUMBER = RegExp(`^${NUMBER}$`);
const PAIR = String.raw`\s*${NUMBER}\s*:\s*${NUMBER}\s*`;
const IS_GAINS = RegExp(`^\\{${PAIR}(?:,${PAIR})*,?\\s*\\}$`);

/** The metrics of a text such as `nDCG@10 AP(rel=2)@100`: name, macro and arguments of each. */
export function parse(text) {
  const found = [];
  let rest = visible(text.replace(/\s+/g, " ")).replace(/^[\s,]+/, "");
  while (rest) {
    const read = NAME.exec(rest);
    if (!read) throw new Error(`Invalid metric '${rest.split(/\s/)[0]}'; the form is nDCG@10 or AP(rel=2)@100`);
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
    if (cutoff !== null && !IS_NUMBER.test(cutoff)) throw new Error(`'${whole}': '${cutoff}' is not a cut-off`);
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
  const found = Object.create(null);
  for (const part of text?.match(/(?:[^,'"{]|'[^']*'|"[^"]*"|\{[^}]*\})+/g) ?? []) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!key) throw new Error(`'${whole}': write arguments as rel=2`);
    found[key] = writeValue(whole, value).text;
  }
  return found;
}

function writeValue(whole, text) {
  if (/^(true|false)$/i.test(text)) return code(text.toUpperCase());
  if (/^(none|null)$/i.test(text)) return code("NULL");
  if (IS_GAINS.test(text)) return code(`MAP ${text}`);
  if (IS_NUMBER.test(text)) return code(text);
  if (text.startsWith("{")) throw new Error(`'${whole}': write gains as {1: 2, 3: 4}`);
  return sql`${text.replace(/^(['"])(.*)\1$/, "$2")}`;
}

const write = (values, keys) => {
  const known = Object.entries(values).filter(([key]) => keys.includes(key));
  return join(known.map(([key, value]) => sql`, ${code(key)} := ${code(value)}`), "");
};

/** The scores of all queries by one metric, as a query that needs nothing but the macros. */
export function writeQuery(metric) {
  return sql`FROM ${code(metric.macro)}(qrels, runs${write(metric.values, [...metric.own, ...metric.ranking])})`;
}

export function writeScore(metric, name, query) {
  return sql`-- a run's score for a query\n${writeQuery(metric)}\nWHERE run_id = ${name} AND query_id = ${query};`;
}

export function writeMean(metric, name) {
  const mean = sql`${howToAdd(metric)}(${code(metric.macro)}) AS ${quoteName(metric.name)}`;
  return sql`-- a run over all judged queries\nSELECT ${mean}, count(*) AS queries\n${writeQuery(metric)}\nWHERE run_id = ${name};`;
}

const howToAdd = (metric) => code(metric.sum ? "sum" : "avg");

/** Fills the table scores. Metrics over the rows of judged share them, so that runs are ranked once. */
export async function score(metrics) {
  const groups = new Map();
  const queries = [];
  for (const metric of metrics) {
    const macro = code(metric.macro);
    if (metric.relation !== "judged") {
      queries.push(
        sql`SELECT run_id, query_id, ${metric.name} AS metric, CAST(${macro} AS DOUBLE) AS score\n${writeQuery(metric)}`,
      );
      continue;
    }
    const rows = sql`judged(qrels, runs${write(metric.values, metric.ranking)})`;
    const group = groups.get(rows.text) ?? { rows, names: [], calls: [] };
    groups.set(rows.text, group);
    group.names.push(metric.name);
    group.calls.push(sql`CAST(${macro}(j${write(metric.values, metric.own)}) AS DOUBLE)`);
  }
  for (const { rows, names, calls } of groups.values())
    queries.push(
      sql`SELECT j.run_id, j.query_id, unnest([${names}]) AS metric, unnest([${calls}]) AS score\nFROM ${rows} AS j\nGROUP BY j.run_id, j.query_id`,
    );
  await run(sql`CREATE OR REPLACE TABLE scores AS\n${join(queries, "\nUNION ALL\n")}`);
}

/** A row for each run with its mean by each metric. */
export const writeMeans = (metrics) =>
  sql`SELECT run_id${columns(metrics, howToAdd)}\nFROM scores\nGROUP BY run_id\nORDER BY run_id`;

/** A row for each query and run with its score by each metric. */
export const writeAll = (metrics) =>
  sql`SELECT query_id, run_id${columns(metrics, () => code("any_value"))}\nFROM scores\nGROUP BY query_id, run_id\nORDER BY query_id, run_id`;

const columns = (metrics, how) =>
  join(metrics.map((m) => sql`,\n    ${how(m)}(score) FILTER (metric = ${m.name}) AS ${quoteName(m.name)}`), "");
