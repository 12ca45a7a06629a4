// The page: what is chosen, and the sections that show it.
import { parse, score, check, writeAll, writeMean, writeMeans, writeScore } from "./scores.js";
import { compare, isSignificant, writeChanges, writeTests } from "./compare.js";
import { compareDocuments, move, writeDocuments } from "./documents.js";
import * as editing from "./editor.js";
import { ask, quote, start, writeCsv } from "./engine.js";
import * as files from "./files.js";
import { list } from "./columns.js";
import { interval, make, number, show, sign, table } from "./tables.js";
import facts from "facts";

const at = (id) => document.getElementById(id);
const say = (text) => (at("status").textContent = text);
const settings = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const chosen = { metrics: "nDCG@10 AP RR", ...settings };
// the user's corrections, by kind: our name and the column that it is
const given = { qrels: readColumns(settings.qrels), run: readColumns(settings.runs) };
let opened = [], isExample = false, metrics = [], runs = [], tests = [], view;

// Settings, which the address keeps; data never are

function readColumns(text) {
  return Object.fromEntries((text ?? "").split(",").filter(Boolean).map((pair) => pair.split("=").map(decodeURIComponent)));
}

function keep() {
  const write = (kind) => Object.entries(given[kind]).map((pair) => pair.map(encodeURIComponent).join("=")).join(",");
  const kept = { ...chosen, qrels: write("qrels"), runs: write("run") };
  const filled = Object.entries(kept).filter(([, value]) => value);
  history.replaceState(null, "", `#${new URLSearchParams(filled)}`);
}

// Files

async function showExample(name) {
  await forget(opened);
  isExample = true;
  const [first, ...others] = facts.examples[name];
  const encode = (path) => new TextEncoder().encode(facts.files[path]).buffer;
  const read = (path, kind) => add(path.split("/").pop(), encode(path), kind);
  await read(first, "qrels");
  for (const path of others) await read(path, "run");
  await refresh();
}

async function forget(those) {
  opened = opened.filter((file) => !those.includes(file));
  for (const file of those) if (file.table) await files.forget(file);
}

async function add(name, bytes, kind) {
  let file = { name, kind: kind ?? "run" };
  try {
    file = await files.read(name, bytes, kind);
    if (file.kind === "qrels") await forget(opened.filter((each) => each.kind === "qrels"));
    await test(file);
  } catch (error) {
    file.problem = error.message;
  }
  for (let n = 2; file.label && opened.some((each) => each.label === file.label); n++) file.label = `${file.label.replace(/ \d+$/, "")} ${n}`;
  opened.push(file);
}

async function test(file) {
  file.problem = null;
  try {
    await files.check(file, given[file.kind]);
  } catch (error) {
    file.problem = error.message;
  }
}

async function take(chosenFiles, kind) {
  if (!chosenFiles.length) return;
  if (isExample) await forget(opened);
  isExample = false;
  at("example").value = "";
  delete chosen.query;
  for (const file of chosenFiles) {
    say(`Reading ${file.name} …`);
    await add(file.name, await file.arrayBuffer(), kind);
  }
  await refresh();
}

function drawFiles() {
  at("list").replaceChildren(...opened.map((file) => {
    const what = file.kind === "qrels" ? "judgments" : "run";
    const rows = file.number === undefined ? "" : `, ${file.number} rows`;
    const renamed = Object.entries(file.found ?? {}).filter(([ours, theirs]) => ours !== theirs).map(([ours, theirs]) => `${theirs} as ${ours}`);
    const read = renamed.length ? `Columns: read ${renamed.join(", ")}` : "Columns";
    return make("li", { class: file.problem && "refused" },
      make("div", { class: "heading" },
        make("span", {}, make("strong", {}, file.name), make("span", { class: "soft" }, ` ${what}${rows}`)),
        make("button", { type: "button", "aria-label": `Remove ${file.name}`, click: () => remove(file) }, "Remove")),
      file.problem && make("p", { class: "problem", role: "alert" }, file.problem),
      file.columns && make("details", { open: Boolean(file.problem) }, make("summary", {}, read),
        make("div", { class: "row" }, ...list(facts.kinds[file.kind]).map((ours) => chooseColumn(file, ours)))));
  }));
}

function chooseColumn(file, ours) {
  const options = ["", ...file.columns].map((column) => make("option", { value: column, selected: (file.found?.[ours] ?? "") === column }, column || "–"));
  const change = async (event) => {
    given[file.kind][ours] = event.target.value;
    for (const each of opened) if (each.kind === file.kind && each.table) await test(each);
    await refresh();
  };
  return make("label", {}, ours, make("select", { "data-file": file.name, "data-column": ours, change }, ...options));
}

async function remove(file) {
  isExample = false;
  await forget([file]);
  await refresh();
}

// Scores

async function refresh() {
  const began = performance.now();
  drawFiles();
  const usable = opened.filter((file) => !file.problem);
  const qrels = usable.find((file) => file.kind === "qrels");
  const found = usable.filter((file) => file.kind === "run");
  const missing = [!qrels && "judgments", !found.length && "a run"].filter(Boolean);
  for (const id of ["scores", "comparison", "queries", "documents"]) at(id).hidden = missing.length > 0;
  at("checks").replaceChildren();
  if (missing.length) return say(`Add ${missing.join(" and ")}.`);
  try {
    say("Scoring …");
    runs = await files.combine(qrels, found);
    await rescore();
    const [{ queries }] = await ask("SELECT count(DISTINCT query_id) AS queries FROM scores");
    say(`${count(runs.length, "run")} scored for ${count(queries, "query", "queries")} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    drawChecks(await check());
  } catch (error) {
    refuse(error);
  }
  keep();
}

const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

function refuse(error) {
  at("problem").textContent = error.message;
  say("");
  for (const id of ["comparison", "queries", "documents"]) at(id).hidden = true;
  at("means").replaceChildren();
}

async function rescore() {
  at("problem").textContent = "";
  metrics = parse(chosen.metrics);
  await score(metrics);
  at("queries").hidden = false;
  if (!metrics.some((metric) => metric.name === chosen.metric)) chosen.metric = metrics[0].name;
  if (!runs.includes(chosen.baseline)) chosen.baseline = runs[0];
  const order = await ask(writeMeans(metrics));
  order.sort((a, b) => b[metrics[0].name] - a[metrics[0].name]);
  drawMeans(order);
  await recompare(order);
}

function drawMeans(order) {
  const columns = metrics.map((metric) => ({
    name: metric.name,
    key: (row) => row[metric.name],
    cell: (row) => sqlButton(row[metric.name], `${metric.name} of ${row.run_id}`, () => writeMean(metric, row.run_id)),
  }));
  const means = metrics.some((metric) => metric.sum) ? "Means and sums" : "Means";
  at("means").replaceChildren(table(`${means} of the runs`, [{ name: "run", key: (row) => row.run_id, text: true }, ...columns], order));
  at("meanings").lastElementChild.replaceChildren(...metrics.flatMap((metric) => [
    make("dt", {}, metric.name),
    make("dd", {}, metric.summary, make("br"), make("code", {}, metric.formula), metric.loss ? " Lower is better." : ""),
  ]));
}

/** A number that shows its SQL. */
function sqlButton(value, what, writeSql, text) {
  return make("button", { type: "button", class: "plain", title: `SQL of ${what}`, click: () => showSql(writeSql()) }, number(value, text));
}

function choose(id, values) {
  at(id).replaceChildren(...values.map((value) => make("option", { value }, value)));
  at(id).value = chosen[id];
}

async function recompare(order) {
  const metric = metrics.find((each) => each.name === chosen.metric);
  const others = runs.filter((run) => run !== chosen.baseline);
  const best = order?.find((row) => row.run_id !== chosen.baseline)?.run_id;
  if (!others.includes(chosen.run)) chosen.run = best ?? others[0];
  at("comparison").hidden = !others.length;
  if (others.length) {
    choose("metric", metrics.map((each) => each.name));
    choose("baseline", runs);
    choose("run", others);
    try {
      tests = await compare(metrics, chosen.baseline);
      drawTests(metric);
      drawChanges(metric, await ask(writeChanges(metric, chosen.baseline, chosen.run)));
    } catch (error) {
      at("tests").replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
      at("changes").replaceChildren();
    }
  }
  await drawQueries(metric);
  if (chosen.query) await openQuery(chosen.query);
  else at("documents").hidden = true;
  keep();
}

const tone = (row) => (isSignificant(row) ? (row.difference > 0 ? "up" : "down") : "");
const mark = (row) => ({ up: " ▲", down: " ▼", "": "" })[tone(row)];
const showP = (p) => (p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3));

function drawTests(metric) {
  const rows = tests.filter((row) => row.metric === metric.name);
  const most = Math.max(...rows.flatMap((row) => [row.low, row.high, row.difference].map((x) => Math.abs(x ?? 0))));
  const write = () => writeTests(metrics, chosen.baseline);
  const each = (name, key, text) => ({ name, key, cell: (row) => sqlButton(key(row), `${name} of ${row.run_id}`, write, text(row)) });
  at("tests").replaceChildren(
    table(`${metric.name}: the runs against ${chosen.baseline}`, [
      { name: "run", key: (row) => row.run_id, text: true },
      each(metric.name, (row) => row.mean, (row) => show(row.mean)),
      each("difference", (row) => row.difference, (row) => sign(row.difference) + mark(row)),
      { name: "interval", key: (row) => row.low, cell: (row) => make("span", { class: "intervals" }, interval(row, most, tone(row)),
        make("span", { class: "ends" }, row.low === null ? "–" : `${sign(row.low)} to ${sign(row.high)}`)) },
      { name: "wins/ties/losses", key: (row) => row.wins - row.losses, cell: (row) => `${row.wins}/${row.ties}/${row.losses}` },
      each("p", (row) => row.p_corrected, (row) => showP(row.p_corrected)),
    ], rows),
    make("p", { class: "note" }, describe(rows, metric)));
}

function describe(rows, metric) {
  const percents = rows.map((row) => row.confidence * 100);
  const [least, most] = [Math.min(...percents), Math.max(...percents)].map((percent) => `${+percent.toFixed(1)}%`);
  const corrected = rows.length > 1 ? `, corrected by Holm for the ${rows.length} comparisons of each metric` : "";
  const others = metrics.length > 1 ? `, not corrected for the ${metrics.length} metrics` : "";
  const few = rows[0].queries < 10 ? " With fewer than 10 queries, intervals and p-values are a rough guide." : "";
  const worse = metric.loss ? " Lower is better." : "";
  return `Differences from ${chosen.baseline}. p-values are from paired t-tests${corrected}${others}; intervals have ${least === most ? least : `${least} to ${most}`} confidence. ▲▼: significant at 0.05.${few}${worse}`;
}

const queryButton = (query) => make("button", { type: "button", class: "query", title: `Documents of ${query}`, click: () => openQuery(query, true) }, query);

function drawChanges(metric, rows) {
  at("changes-title").textContent = `Queries for which ${chosen.run} differs most by ${metric.name}`;
  const write = () => writeChanges(metric, chosen.baseline, chosen.run);
  const each = (name, key, text = show) => ({ name, key: (row) => row[key], cell: (row) => sqlButton(row[key], `${name} for ${row.query_id}`, write, text(row[key])) });
  at("changes").replaceChildren(table("Queries that changed most", [
    { name: "query", key: (row) => row.query_id, text: true, cell: (row) => queryButton(row.query_id) },
    each(chosen.baseline, "baseline_score"), each(chosen.run, "score"), each("difference", "difference", sign),
  ], rows));
}

async function drawQueries(metric) {
  const found = await ask(`FROM scores WHERE metric = ${quote(metric.name)} ORDER BY query_id`);
  const rows = new Map();
  for (const { query_id, run_id, score } of found) rows.set(query_id, { ...rows.get(query_id), query_id, [`run ${run_id}`]: score });
  const wanted = at("find").value.toLowerCase();
  const shown = [...rows.values()].filter((row) => row.query_id.toLowerCase().includes(wanted));
  at("queries-title").textContent = `${metric.name} of each query`;
  at("per-query").replaceChildren(table(`${metric.name} of each query`, [
    { name: "query", key: (row) => row.query_id, text: true, cell: (row) => queryButton(row.query_id) },
    ...runs.map((run) => ({ name: run, key: (row) => row[`run ${run}`],
      cell: (row) => sqlButton(row[`run ${run}`], `${metric.name} of ${run} for ${row.query_id}`, () => writeScore(metric, run, row.query_id)) })),
  ], shown, { most: 100 }));
}

// Documents

async function openQuery(query, isAsked) {
  chosen.query = query;
  const other = chosen.run ?? chosen.baseline;
  const found = await compareDocuments(query, chosen.baseline, other);
  at("documents").hidden = false;
  at("documents-title").textContent = `Documents of ${query}`;
  const columns = [
    { name: "rank", key: (row) => row.rank },
    { name: "document", key: (row) => row.doc, text: true, cell: (row) => row.doc },
    { name: "grade", key: (row) => row.grade, cell: (row) => row.grade === null
      ? make("span", { class: "soft" }, "not judged")
      : make("span", { class: row.grade > 0 ? "grade relevant" : "grade" }, show(row.grade).replace(/\.0000$/, "")) },
  ];
  const moved = { name: "moved", key: (row) => (row.other === null ? null : row.other - row.rank), cell: (row) => {
    const [words, sign, tone] = move(row);
    return make("span", { class: tone, title: words }, make("span", { "aria-hidden": "true" }, sign || "="), make("span", { class: "hidden" }, words));
  } };
  const draw = (run, rows, ...more) => make("div", {}, make("h3", {}, run),
    rows.length ? table(`${query} by ${run}`, [...columns, ...more], rows, { most: 20 }) : make("p", { class: "note" }, `${run} has no results for this query.`));
  const missed = found.missed.map((row) => `${row.doc_id} (${+row.grade})`).join(", ");
  at("lists").replaceChildren(
    draw(chosen.baseline, found.before),
    ...(other === chosen.baseline ? [] : [draw(other, found.after, moved)]),
    ...(missed ? [make("p", { class: "note" }, `Relevant, but not retrieved: ${missed}`)] : []));
  if (isAsked) {
    keep();
    at("documents-title").focus({ preventScroll: true });
    at("documents").scrollIntoView({ block: "start" });
  }
}

// Checks

function drawChecks(found) {
  const errors = found.filter((row) => row.severity === "error").length;
  const title = found.length ? `Checks: ${count(errors, "error")}, ${count(found.length - errors, "warning")}` : "Checks: nothing found";
  at("checks").replaceChildren(make("details", { open: errors > 0 }, make("summary", {}, title),
    make("ul", {}, ...found.map((row) => {
      const examples = row.examples.split("\n");
      const more = row.number > examples.length ? [`and ${row.number - examples.length} more`] : [];
      return make("li", {}, make("strong", {}, `${row.severity}: ${row.check}: ${row.number}`), make("br"), row.meaning,
        make("ul", {}, ...[...examples, ...more].map((text) => make("li", {}, text))));
    }))));
}

// SQL

async function showSql(sql) {
  editing.write(view, sql);
  at("sql").scrollIntoView({ block: "start" });
  view.focus();
  await execute();
}

async function execute() {
  chosen.sql = editing.read(view);
  keep();
  try {
    const began = performance.now();
    const rows = await ask(chosen.sql);
    const columns = rows.names.map((name) => ({ name, key: (row) => row[name], text: rows.some((row) => typeof row[name] === "string"),
      cell: (row) => number(typeof row[name] === "object" && row[name] !== null ? String(row[name]) : row[name], typeof row[name] === "number" ? String(row[name]) : undefined) }));
    at("answer").replaceChildren(table("Result", columns, rows, { most: 100 }),
      make("p", { class: "note" }, `${count(rows.length, "row")} in ${((performance.now() - began) / 1000).toFixed(2)} s`));
  } catch (error) {
    at("answer").replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
  }
}

// Downloads and links

async function download(name, sql) {
  try {
    const url = URL.createObjectURL(new Blob([await writeCsv(sql)], { type: "text/csv" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    say(`Saved ${name}.`);
  } catch (error) {
    say(error.message);
  }
}

async function copyLink() {
  keep();
  try {
    await navigator.clipboard.writeText(location.href);
    say("Copied the link: it has the settings, and no data.");
  } catch {
    say("The address of the page is the link: it has the settings, and no data.");
  }
}

// What users do

function listen() {
  const on = (id, event, act) => at(id).addEventListener(event, act);
  const change = (id, act) => on(id, "change", () => { chosen[id] = at(id).value; act(); });
  on("choose-qrels", "change", (event) => take([...event.target.files], "qrels"));
  on("choose-run", "change", (event) => take([...event.target.files], "run"));
  on("example", "change", (event) => event.target.value && (delete chosen.query, showExample(event.target.value)));
  for (const type of ["dragover", "dragleave", "drop"])
    document.addEventListener(type, (event) => {
      event.preventDefault();
      at("drop").classList.toggle("over", type === "dragover");
      if (type === "drop") take([...event.dataTransfer.files]);
    });
  on("ask", "submit", (event) => { event.preventDefault(); chosen.metrics = at("metrics").value; refresh(); });
  on("add", "change", (event) => {
    at("metrics").value = `${at("metrics").value.trim()} ${event.target.value}`.trim();
    event.target.value = "";
    at("ask").requestSubmit();
  });
  change("metric", recompare);
  change("baseline", recompare);
  change("run", recompare);
  on("find", "input", () => drawQueries(metrics.find((each) => each.name === chosen.metric)));
  on("execute", "click", execute);
  on("link", "click", copyLink);
  on("means-csv", "click", () => download("means.csv", writeMeans(metrics)));
  on("queries-csv", "click", () => download("scores.csv", writeAll(metrics)));
  on("tests-csv", "click", () => download("comparison.csv", writeTests(metrics, chosen.baseline)));
  const documents = () => writeDocuments(chosen.query, chosen.baseline, chosen.run ?? chosen.baseline);
  on("documents-csv", "click", () => download("documents.csv", documents()));
  on("documents-sql", "click", () => showSql(documents()));
  on("sql-csv", "click", () => download("result.csv", editing.read(view)));
}

function listChoices() {
  const families = Map.groupBy(Object.values(facts.metrics), (metric) => metric.family);
  const options = (those) => those.flatMap((metric) => metric.names.map((name) => {
    const value = name.replace(/@\w+$/, metric.cutoff === "k" ? "@10" : "@0.5");
    return make("option", { value, title: metric.summary }, value);
  }));
  at("add").replaceChildren(make("option", { value: "" }, "Choose a metric"),
    ...[...families].map(([family, those]) => make("optgroup", { label: family }, ...options(those))));
  at("example").replaceChildren(...["", ...Object.keys(facts.examples)].map((name) => make("option", { value: name }, name || "none")));
  at("metrics").value = chosen.metrics;
}

async function begin() {
  listChoices();
  try {
    await start(say);
    view = await editing.open(at("editor"), chosen.sql ?? START, execute);
    listen();
    at("example").value = Object.keys(facts.examples)[0];
    await showExample(at("example").value);
    if (chosen.sql) await execute();
    const [{ version }] = await ask("SELECT version() AS version");
    at("versions").textContent = `sqlmetrics ${facts.version}, DuckDB ${version}. Nothing leaves this page: it can reach no server but the one that it came from, and works without a network after the first visit.`;
    await navigator.serviceWorker?.register("offline.js");
  } catch (error) {
    say(`The playground cannot start: ${error.message}`);
  }
}

const START = `-- one ranking, several metrics
SELECT j.run_id, j.query_id, ndcg(j, k := 10) AS ndcg_10, ap(j) AS ap, rr(j) AS rr
FROM judged(qrels, runs) AS j
GROUP BY j.run_id, j.query_id
ORDER BY j.run_id, j.query_id;`;

begin();
