// The page: what is chosen, and the sections that show it.
import { parse, score, writeAll, writeMean, writeMeans, writeScore } from "./scores.js";
import { drawTests, writeChanges, writeTests } from "./compare.js";
import { compareDocuments, drawDocuments, writeDocuments } from "./documents.js";
import * as editing from "./editor.js";
import { ask, askText, code, sql, start, writeCsv } from "./engine.js";
import * as files from "./files.js";
import { list as listColumns } from "./columns.js";
import { make, number, show, sign, table } from "./tables.js";
import facts from "facts";

const at = (id) => document.getElementById(id);
const say = (text) => (at("status").textContent = text);
// what the user or the link chose: metrics, metric, baseline, run, query, sql
const {
  qrels: qrelsColumns,
  runs: runColumns,
  ...chosen
} = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
// the user's corrections, by kind: our name and the column that it is
const given = { qrels: readColumns(qrelsColumns), run: readColumns(runColumns) };
// what is shown: that, where the runs have it
let opened = [],
  isExample = false,
  metrics = [],
  runs = [],
  means = [],
  metric,
  baseline,
  other,
  query,
  view;

/** What users do is done one after the other. */
let acting = Promise.resolve();
function act(task) {
  document.body.setAttribute("aria-busy", "true");
  const done = acting.then(task).catch(refuse);
  acting = done;
  done.then(() => acting === done && document.body.removeAttribute("aria-busy"));
  return done;
}

// Settings, which the address keeps; data never are

function readColumns(text) {
  return Object.fromEntries(
    (text ?? "")
      .split(",")
      .filter(Boolean)
      .map((pair) => pair.split("=").map(decode))
      .filter(([ours, theirs]) => ours && theirs !== undefined),
  );
}

/** A part of a link, as it is if it was not written by the page. */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function keep() {
  const write = (kind) =>
    Object.entries(given[kind])
      .map((pair) => pair.map(encodeURIComponent).join("="))
      .join(",");
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

/** An example with its own baseline and query, and its columns as they are recognised. */
async function startOver(name) {
  for (const key of ["metric", "baseline", "run", "query"]) delete chosen[key];
  Object.assign(given, { qrels: {}, run: {} });
  await showExample(name);
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
  for (let n = 2; file.label && opened.some((each) => each.label === file.label); n++)
    file.label = `${file.label.replace(/ \d+$/, "")} ${n}`;
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
  for (const file of chosenFiles) {
    say(`Reading ${file.name} …`);
    await add(file.name, await file.arrayBuffer(), kind);
  }
  await refresh();
}

function drawFiles() {
  at("list").replaceChildren(
    ...opened.map((file) => {
      const what = file.kind === "qrels" ? "judgments" : "run";
      const rows = file.number === undefined ? "" : `, ${file.number} rows`;
      const read = Object.entries(file.found ?? {}).map(([ours, theirs]) =>
        ours === theirs ? ours : `${theirs} as ${ours}`,
      );
      return make(
        "li",
        { class: file.problem && "refused" },
        make(
          "div",
          { class: "heading" },
          make("span", {}, make("strong", {}, file.name), make("span", { class: "soft" }, ` ${what}${rows}`)),
          make(
            "button",
            {
              type: "button",
              "aria-label": `Remove ${file.name}`,
              click: () => act(() => remove(file)),
            },
            "Remove",
          ),
        ),
        file.problem && make("p", { class: "problem", role: "alert" }, file.problem),
        file.columns &&
          make(
            "details",
            { open: Boolean(file.problem) },
            make("summary", {}, `Columns: ${read.join(", ") || "none recognised"}`),
            make(
              "div",
              { class: "row" },
              ...listColumns(facts.kinds[file.kind]).map((ours) => chooseColumn(file, ours)),
            ),
          ),
      );
    }),
  );
}

function chooseColumn(file, ours) {
  const options = ["", ...file.columns].map((column) =>
    make("option", { value: column, selected: (file.found?.[ours] ?? "") === column }, column || "–"),
  );
  const change = async (column) => {
    given[file.kind][ours] = column;
    for (const each of opened) if (each.kind === file.kind && each.table) await test(each);
    await refresh();
  };
  return make(
    "label",
    {},
    ours,
    make(
      "select",
      {
        "data-file": file.name,
        "data-column": ours,
        change: (event) => act(() => change(event.target.value)),
      },
      ...options,
    ),
  );
}

async function remove(file) {
  isExample = false;
  at("example").value = "";
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
  at("checks").replaceChildren();
  at("problem").textContent = "";
  hide(missing.length ? ["scores", "comparison", "queries", "documents"] : []);
  if (missing.length) return say(`Add ${missing.join(" and ")}.`);
  say("Scoring …");
  chosen.metrics = at("metrics").value;
  metrics = parse(chosen.metrics);
  runs = await files.combine(qrels, found);
  await score(metrics);
  means = await ask(writeMeans(metrics));
  means.sort((a, b) => b[metrics[0].name] - a[metrics[0].name]);
  drawMeans();
  await draw();
  const [{ queries }] = await ask(sql`SELECT count(DISTINCT query_id) AS queries FROM scores`);
  say(
    `${count(runs.length, "run")} scored for ${count(queries, "query", "queries")} in ${((performance.now() - began) / 1000).toFixed(1)} s.`,
  );
  drawChecks(await ask(sql`FROM check_input(qrels, runs)`));
}

function hide(ids) {
  for (const id of ["scores", "queries", ...ids]) at(id).hidden = ids.includes(id);
}

const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

function refuse(error) {
  at("problem").textContent = error.message;
  at("means").replaceChildren();
  hide(["comparison", "queries", "documents"]);
  say("");
}

/** What depends on the metric, the baseline, the run and the query that are chosen. */
async function draw() {
  metric = metrics.find((each) => each.name === chosen.metric) ?? metrics[0];
  baseline = runs.includes(chosen.baseline) ? chosen.baseline : runs[0];
  const others = means.map((row) => row.run_id).filter((run) => run !== baseline);
  other = others.includes(chosen.run) ? chosen.run : others[0];
  at("comparison").hidden = !other;
  if (other) {
    choose(
      "metric",
      metrics.map((each) => each.name),
      metric.name,
    );
    choose("baseline", runs, baseline);
    choose("run", others, other);
    try {
      const tests = await ask(writeTests(metrics, baseline));
      at("tests").replaceChildren(...drawTests(tests, metrics, metric, baseline, sqlButton));
      drawChanges(await ask(writeChanges(metric, baseline, other)));
    } catch (error) {
      at("tests").replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
      at("changes").replaceChildren();
    }
  }
  await drawQueries();
  await openQuery();
  keep();
}

function drawMeans() {
  const columns = metrics.map((metric) => ({
    name: metric.name,
    key: (row) => row[metric.name],
    cell: (row) => sqlButton(row[metric.name], `${metric.name} of ${row.run_id}`, () => writeMean(metric, row.run_id)),
  }));
  const what = metrics.some((metric) => metric.sum) ? "Means and sums" : "Means";
  at("means").replaceChildren(
    table(`${what} of the runs`, [{ name: "run", key: (row) => row.run_id, text: true }, ...columns], means),
  );
  at("meanings").lastElementChild.replaceChildren(
    ...metrics.flatMap((metric) => [
      make("dt", {}, metric.name),
      make(
        "dd",
        {},
        metric.summary,
        make("br"),
        make("code", {}, metric.formula),
        metric.loss ? " Lower is better." : "",
      ),
    ]),
  );
}

/** A number that shows its SQL. */
function sqlButton(value, what, writeSql, text) {
  return make(
    "button",
    {
      type: "button",
      class: "plain",
      title: `SQL of ${what}`,
      click: () => act(() => showSql(writeSql())),
    },
    number(value, text),
  );
}

function choose(id, values, value) {
  at(id).replaceChildren(...values.map((each) => make("option", { value: each }, each)));
  at(id).value = value;
}

const queryButton = (query) =>
  make(
    "button",
    {
      type: "button",
      class: "query",
      title: `Documents of ${query}`,
      click: () => act(() => showQuery(query)),
    },
    query,
  );

function drawChanges(rows) {
  at("changes-title").textContent = `Queries for which ${other} differs most by ${metric.name}`;
  const write = () => writeChanges(metric, baseline, other);
  const each = (name, key, text = show) => ({
    name,
    key: (row) => row[key],
    cell: (row) => sqlButton(row[key], `${name} for ${row.query_id}`, write, text(row[key])),
  });
  at("changes").replaceChildren(
    table(
      "Queries that changed most",
      [
        {
          name: "query",
          key: (row) => row.query_id,
          text: true,
          cell: (row) => queryButton(row.query_id),
        },
        each(baseline, "baseline_score"),
        each(other, "score"),
        each("difference", "difference", sign),
      ],
      rows,
    ),
  );
}

async function drawQueries() {
  const found = await ask(sql`FROM scores WHERE metric = ${metric.name} ORDER BY query_id`);
  const rows = new Map();
  for (const { query_id, run_id, score } of found)
    rows.set(query_id, { ...rows.get(query_id), query_id, [`run ${run_id}`]: score });
  const wanted = at("find").value.toLowerCase();
  const shown = [...rows.values()].filter((row) => row.query_id.toLowerCase().includes(wanted));
  shown.sort((a, b) => a.query_id.localeCompare(b.query_id, "en", { numeric: true }));
  at("queries-title").textContent = `${metric.name} of each query`;
  at("per-query").replaceChildren(
    table(
      `${metric.name} of each query`,
      [
        {
          name: "query",
          key: (row) => row.query_id,
          text: true,
          cell: (row) => queryButton(row.query_id),
        },
        ...runs.map((run) => ({
          name: run,
          key: (row) => row[`run ${run}`],
          cell: (row) =>
            sqlButton(row[`run ${run}`], `${metric.name} of ${run} for ${row.query_id}`, () =>
              writeScore(metric, run, row.query_id),
            ),
        })),
      ],
      shown,
      { most: 100 },
    ),
  );
}

// Documents

async function showQuery(query) {
  chosen.query = query;
  await openQuery();
  keep();
  at("documents-title").focus({ preventScroll: true });
  at("documents").scrollIntoView({ block: "start" });
}

/** What `compareDocuments` compares: the query that is chosen, by the baseline and the run. */
const pair = () => [query, baseline, other ?? baseline];

async function openQuery() {
  const known = await ask(sql`SELECT query_id FROM scores WHERE query_id = ${chosen.query ?? ""} LIMIT 1`);
  query = known[0]?.query_id;
  at("documents").hidden = !query;
  if (!query) return;
  const found = await compareDocuments(...pair());
  at("documents-title").textContent = `Documents of ${query}`;
  at("lists").replaceChildren(...drawDocuments(...pair(), found));
}

// Checks

function drawChecks(found) {
  const errors = found.filter((row) => row.severity === "error").length;
  const title = found.length
    ? `Checks: ${count(errors, "error")}, ${count(found.length - errors, "warning")}`
    : "Checks: nothing found";
  at("checks").replaceChildren(
    make(
      "details",
      { open: found.some((row) => row.severity === "error" || facts.noted.includes(row.check)) },
      make("summary", {}, title),
      make(
        "ul",
        {},
        ...found.map((row) => {
          const examples = row.examples.split("\n");
          const more = row.number > examples.length ? [`and ${row.number - examples.length} more`] : [];
          return make(
            "li",
            {},
            make("strong", {}, `${row.severity}: ${row.check}: ${row.number}`),
            make("br"),
            row.meaning,
            make("ul", {}, ...[...examples, ...more].map((text) => make("li", {}, text))),
          );
        }),
      ),
    ),
  );
}

// SQL

async function showSql(query) {
  editing.write(view, query.text);
  at("sql").scrollIntoView({ block: "start" });
  view.focus();
  await execute();
}

async function execute() {
  chosen.sql = editing.read(view);
  keep();
  try {
    const began = performance.now();
    const rows = await askText(editing.readStatements(view));
    const columns = rows.names.map((name, place) => ({
      name,
      key: (row) => (rows.numeric[place] && row[place] !== null ? Number(row[place]) : row[place]),
      text: !rows.numeric[place],
      cell: (row) =>
        make(rows.numeric[place] ? "data" : "span", { value: rows.numeric[place] && row[place] }, row[place] ?? "NULL"),
    }));
    const found = `${count(rows.length, "row")} in ${((performance.now() - began) / 1000).toFixed(2)} s`;
    at("answer").replaceChildren(table("Result", columns, rows, { most: 100 }), make("p", { class: "note" }, found));
    say(`SQL: ${found}.`);
  } catch (error) {
    at("answer").replaceChildren(make("p", { class: "problem", role: "alert" }, error.message));
  }
}

// Downloads and links

async function download(name, query) {
  try {
    const url = URL.createObjectURL(new Blob([await writeCsv(query)], { type: "text/csv" }));
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
    say("Copied the link: it has the settings, and no rows of your files.");
  } catch {
    say("The address of the page is the link: it has the settings, and no rows of your files.");
  }
}

// What users do

function listen() {
  const on = (id, event, act) => at(id).addEventListener(event, act);
  const change = (id) => on(id, "change", (event) => act(() => ((chosen[id] = event.target.value), draw())));
  const click = (id, task) => on(id, "click", () => act(task));
  for (const kind of ["qrels", "run"])
    on(`choose-${kind}`, "change", ({ target }) => {
      give([...target.files], kind);
      target.value = ""; // the same file may be chosen again
    });
  on("example", "change", (event) => event.target.value && act(() => startOver(event.target.value)));
  for (const type of ["dragover", "dragleave", "drop"])
    document.addEventListener(type, (event) => {
      event.preventDefault();
      at("drop").classList.toggle("over", type === "dragover");
      if (type === "drop") give([...event.dataTransfer.files]);
    });
  on("ask", "submit", (event) => {
    event.preventDefault();
    act(refresh);
  });
  on("add", "change", (event) => {
    at("metrics").value = `${at("metrics").value.trim()} ${event.target.value}`.trim();
    event.target.value = "";
    at("ask").requestSubmit();
  });
  for (const id of ["metric", "baseline", "run"]) change(id);
  on("find", "input", () => act(drawQueries));
  click("execute", execute);
  click("link", copyLink);
  click("means-csv", () => download("means.csv", writeMeans(metrics)));
  click("queries-csv", () => download("scores.csv", writeAll(metrics)));
  click("tests-csv", () => download("comparison.csv", writeTests(metrics, baseline)));
  click("documents-csv", () => download("documents.csv", writeDocuments(...pair())));
  click("documents-sql", () => showSql(writeDocuments(...pair())));
  click("sql-csv", () => download("result.csv", code(editing.readStatements(view).at(-1) ?? "")));
}

const give = (chosenFiles, kind) => act(() => take(chosenFiles, kind));

function listChoices() {
  const families = Map.groupBy(Object.values(facts.metrics), (metric) => metric.family);
  const options = (those) =>
    those.flatMap((metric) => metric.choices.map((value) => make("option", { value, title: metric.summary }, value)));
  at("add").replaceChildren(
    make("option", { value: "" }, "Choose a metric"),
    ...[...families].map(([family, those]) => make("optgroup", { label: family }, ...options(those))),
  );
  at("example").replaceChildren(
    ...["", ...Object.keys(facts.examples)].map((name) => make("option", { value: name }, name || "none")),
  );
  at("metrics").value = chosen.metrics ?? METRICS;
}

async function begin() {
  try {
    listChoices();
    await start(say);
    view = await editing.open(at("editor"), chosen.sql ?? START, () => act(execute));
    listen();
    at("example").value = Object.keys(facts.examples)[0];
    await act(() => showExample(at("example").value));
    const [{ version }] = await ask(sql`SELECT version() AS version`);
    at("versions").textContent =
      `sqlmetrics ${facts.version}, DuckDB ${version}. Nothing leaves this page: it can reach no server but the one that it came from, and works without a network after the first visit.`;
    await navigator.serviceWorker?.register("offline.js").catch(() => {}); // a private window may refuse
  } catch (error) {
    say(`The playground cannot start: ${error.message}`);
  }
}

const METRICS = "nDCG@10 AP RR";

const START = `-- one ranking, several metrics
SELECT j.run_id, j.query_id, ndcg(j, k := 10) AS ndcg_10, ap(j) AS ap, rr(j) AS rr
FROM judged(qrels, runs) AS j
GROUP BY j.run_id, j.query_id
ORDER BY j.run_id, j.query_id;`;

begin();
