// Judgments and runs: files become tables of text in the engine, and views with our columns.
import { decompress } from "fzstd";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { isHeader, isPlace, list, match } from "./columns.js";
import { ask, quote, quoteName, run, unpack, withFile } from "./engine.js";
import facts from "facts";

let number = 0;

/** Reads a file into a table: its name, columns, rows and kind, which is found if not given. */
export async function read(name, bytes, kind) {
  const content = await expand(bytes);
  const table = `file_${++number}`;
  const file = {
    name,
    table,
    label: name.replace(/(\.(csv|tsv|txt|jsonl?|ndjson|parquet|gz|zst|run|trec|qrels))+$/i, ""),
  };
  const start = new Uint8Array(content, 0, Math.min(4, content.byteLength));
  if (String.fromCharCode(...start) === "PAR1") await fill(table, writeText(await readParquet(content)));
  else {
    const text = new TextDecoder().decode(content);
    const filled = text.split(/[\r\n]+/).filter((line) => line.trim());
    if (!filled.length) throw new Error("the file is empty");
    if (text.includes("\0")) throw new Error("the file is not text, nor Parquet");
    if (/^\s*[{[]/.test(text)) await fill(table, writeText(readJson(text)));
    else {
      // other lines that begin with # are comments of TREC text
      const row = filled.find((line) => !line.startsWith("#")) ?? filled[0];
      const isRow = splitFields(row).length >= 4 && !isHeader(splitFields(row));
      Object.assign(file, await readText(table, content, isRow ? row : filled[0]));
    }
  }
  const rows = await ask(`SELECT count(*) AS number FROM ${table}`);
  file.columns = (await ask(`FROM ${table} LIMIT 0`)).names;
  file.number = rows[0].number;
  file.kind = kind ?? file.kind ?? guess(file.columns);
  return file;
}

/** The bytes of a file without its compression, by gzip or Zstandard. */
async function expand(bytes) {
  const start = new DataView(bytes, 0, Math.min(4, bytes.byteLength));
  const isZstandard = start.byteLength === 4 && start.getUint32(0) === 0x28b52ffd;
  return isZstandard ? decompress(new Uint8Array(bytes)).slice().buffer : unpack(bytes);
}

/** Judgments have a relevance and no score; other files are runs. */
function guess(columns) {
  return match("qrels", columns).relevance && !match("run", columns).score ? "qrels" : "run";
}

const splitFields = (line) => line.trim().split(/[ \t]+/);

/** Delimited text or the lines of TREC; the first line decides which. */
async function readText(table, content, first) {
  const delimiter = [...",\t;|"].reduce((a, b) => (first.split(b).length > first.split(a).length ? b : a));
  const words = first
    .split(first.includes(delimiter) ? delimiter : " ")
    .map((word) => word.replace(/^\s*"|"\s*$/g, ""));
  const fields = splitFields(first);
  const hasHeader = isHeader(words) || !words.some((word) => word.trim() && !Number.isNaN(Number(word)));
  if (hasHeader || fields.length < 4) {
    const names = hasHeader ? words.map((word) => word.trim()) : words.map((_, place) => `column ${place + 1}`);
    await fill(table, content, {
      names,
      delimiter: first.includes(delimiter) ? delimiter : " ",
      hasHeader,
    });
    return {};
  }
  const places =
    fields.length >= 6
      ? { query_id: 1, doc_id: 3, rank: 4, score: 5 }
      : { query_id: 1, subtopic: 2, doc_id: 3, relevance: 4 };
  const whole =
    fields.length >= 6 ? "len(f) = 6 OR (len(f) > 6 AND TRY_CAST(f[4] AS DOUBLE) IS NOT NULL)" : "len(f) = 4";
  const taken = Object.entries(places).map(([ours, place]) => `CASE WHEN ${whole} THEN f[${place}] END AS ${ours}`);
  await withFile(`${table}.txt`, content, () =>
    run(`
    CREATE TABLE ${table} AS SELECT ${taken.join(", ")}
    FROM (
        SELECT regexp_extract_all(line, '[^ \\t\\f\\r\\v]+') AS f
        FROM read_csv(${quote(`${table}.txt`)}, columns = {'line': 'VARCHAR'}, header = false,
            delim = chr(1), quote = '', escape = '', strict_mode = false, auto_detect = false)
        WHERE NOT starts_with(line, '#')
    ) WHERE len(f) > 0`),
  );
  return { kind: fields.length >= 6 ? "run" : "qrels" };
}

/** Delimited text as a table of text. */
async function fill(table, content, { names, delimiter, hasHeader } = {}) {
  if (!names) ({ names, content, delimiter, hasHeader } = { ...content, delimiter: ",", hasHeader: false });
  const columns = names.map((name) => `${quote(name)}: 'VARCHAR'`).join(", ");
  await withFile(`${table}.csv`, content, () =>
    run(`
    CREATE TABLE ${table} AS FROM read_csv(${quote(`${table}.csv`)}, columns = {${columns}},
        header = ${hasHeader}, delim = ${quote(delimiter)}, quote = '"', escape = '"', auto_detect = false)`),
  );
}

/** Rows of objects as the text of a CSV file without a header. */
function writeText(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const write = (value) => (value == null ? "" : `"${String(value).replaceAll('"', '""')}"`);
  const lines = rows.map((row) => names.map((name) => write(row[name])).join(","));
  return { names, content: new TextEncoder().encode(lines.join("\n")) };
}

/** JSON lines, or an array. Numbers keep their digits, where the browser gives them: an id may have twenty. */
function readJson(text) {
  const keep = (key, value, context) => (typeof value === "number" ? (context?.source ?? value) : value);
  if (/^\s*\[/.test(text)) return JSON.parse(text, keep);
  return text.split(/\r?\n/).flatMap((line, place) => {
    if (!line.trim()) return [];
    try {
      return [JSON.parse(line, keep)];
    } catch {
      throw new Error(`line ${place + 1} is not JSON: ${line.slice(0, 80)}`);
    }
  });
}

async function readParquet(file) {
  const metadata = await parquetMetadataAsync(file);
  return parquetReadObjects({ file, metadata, compressors: { ZSTD: (bytes) => decompress(bytes) } });
}

/** Makes a file's view, by our names for its columns, and throws what a shell would refuse. */
export async function check(file, given) {
  file.found = match(file.kind, file.columns, given);
  if (file.found.score && isPlace(file.found.score))
    throw new Error(
      `${file.found.score} as score would put the last place first; choose it as rank. If the largest is the best, rename the column`,
    );
  const renamed = Object.entries(file.found).map(([ours, theirs]) => `${quoteName(theirs)} AS ${ours}`);
  const taken = Object.values(file.found);
  const ours = list(facts.kinds[file.kind]);
  // another column of our name is not the one that the user chose
  const others = file.columns.filter((column) => !taken.includes(column) && !ours.includes(column.toLowerCase()));
  file.view = `view_${file.table}`;
  await run(
    `CREATE OR REPLACE VIEW ${file.view} AS SELECT ${[...renamed, ...others.map(quoteName)].join(", ")} FROM ${file.table}`,
  );
  if (file.kind === "run") return ask(`SELECT count(*) FROM rankings(${file.view})`);
  const checks = facts.refused.map((name) => `EXISTS (FROM ${name}(${file.view}))`);
  const [{ refused }] = await ask(`SELECT ${checks.join(" OR ")} OR NOT EXISTS (FROM ${file.view}) AS refused`);
  // what takes judgments says why it does not: here with a run of their first document
  if (refused)
    await ask(`
    WITH first AS (SELECT query_id, doc_id, 1 AS score FROM ${file.view} LIMIT 1)
    SELECT count(*) FROM subtopics(${file.view}, first)`);
}

/** Makes the tables qrels and runs of all files. */
export async function combine(qrels, runs) {
  const take = (file, label) => {
    const ours = Object.keys(file.found);
    const named = label && !ours.includes("run_id") ? [`${quote(label)} AS run_id`] : [];
    return `SELECT ${[...named, ...ours].join(", ")} FROM ${file.view}`;
  };
  await run(`CREATE OR REPLACE TABLE qrels AS ${take(qrels)}`);
  await run(
    `CREATE OR REPLACE TABLE runs AS ${runs.map((file) => take(file, file.label)).join(" UNION ALL BY NAME ")}`,
  );
  const names = await ask("SELECT DISTINCT run_id FROM runs");
  const order = runs.map((file) => file.label);
  const place = (name) => order.indexOf(name) + 1 || order.length + 1;
  return names.map((row) => row.run_id).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

export async function forget(file) {
  await run(`DROP VIEW IF EXISTS view_${file.table}`);
  await run(`DROP TABLE IF EXISTS ${file.table}`);
}
