// Judgments and runs: files become tables of text in the engine, and views with our columns.
import { decompress } from "fzstd";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { isHeader, list, match, requireForward } from "./columns.js";
import { ask, code, join, quoteName, run, sql, unpack, visible, withFile } from "./engine.js";
import facts from "facts";

let number = 0;

/** Reads a file into a table: its name, columns, rows and kind, which is found if not given. */
export async function read(name, bytes, kind) {
  const content = await expand(bytes);
  const table = code(`file_${++number}`);
  const file = {
    name,
    table,
    label: name.replace(/(\.(csv|tsv|txt|jsonl?|ndjson|parquet|gz|zst|run|trec|qrels))+$/i, "") || name,
  };
  const start = new Uint8Array(content, 0, Math.min(4, content.byteLength));
  const fillRows = (rows) => {
    const written = writeText(rows);
    file.nested = written.nested;
    return fill(table, written.content, written);
  };
  if (String.fromCharCode(...start) === "PAR1") await fillRows(await readParquet(content));
  else {
    const text = new TextDecoder().decode(content);
    const filled = text.split(/[\r\n]+/).filter((line) => line.trim());
    if (!filled.length) throw new Error("the file is empty");
    if (text.includes("\0")) throw new Error("the file is not text, nor Parquet");
    if (/^\s*[{[]/.test(text)) await fillRows(readJson(text));
    else {
      // other lines that begin with # are comments of TREC text
      const row = filled.find((line) => !line.startsWith("#")) ?? filled[0];
      const isRow = splitFields(row).length >= 4 && !isHeader(splitFields(row));
      Object.assign(file, await readText(table, content, isRow ? row : filled[0]));
    }
  }
  const rows = await ask(sql`SELECT count(*) AS number FROM ${table}`);
  file.columns = (await ask(sql`FROM ${table} LIMIT 0`)).names;
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
  const words = splitWords(first, first.includes(delimiter) ? delimiter : " ");
  const fields = splitFields(first);
  const hasHeader = isHeader(words) || !words.some((word) => word.trim() && !Number.isNaN(Number(word)));
  if (hasHeader || fields.length < 4) {
    const names = words.map((word) => (hasHeader ? word.trim() : ""));
    await fill(table, content, {
      names,
      delimiter: first.includes(delimiter) ? delimiter : " ",
      hasHeader,
    });
    return {};
  }
  const places =
    fields.length >= 6
      ? { query_id: 1, doc_id: 3, rank: 4, score: 5, tag: 6 }
      : { query_id: 1, subtopic: 2, doc_id: 3, relevance: 4 };
  const whole =
    fields.length >= 6 ? "len(f) = 6 OR (len(f) > 6 AND TRY_CAST(f[4] AS DOUBLE) IS NOT NULL)" : "len(f) = 4";
  const taken = Object.entries(places).map(
    ([ours, place]) => sql`CASE WHEN ${code(whole)} THEN f[${place}] END AS ${code(ours)}`,
  );
  await withFile("given.txt", content, () =>
    run(sql`
    CREATE TABLE ${table} AS SELECT ${taken}
    FROM (
        SELECT regexp_extract_all(line, '[^ \\t\\f\\r\\v]+') AS f
        FROM read_csv('given.txt', columns = {'line': 'VARCHAR'}, header = false,
            delim = chr(1), quote = '', escape = '', strict_mode = false, auto_detect = false)
        WHERE NOT starts_with(line, '#')
    ) WHERE len(f) > 0`),
  );
  // what a check reads besides
  return { kind: fields.length >= 6 ? "run" : "qrels", checked: fields.length >= 6 ? [code("tag")] : [] };
}

/** The words of a line, without quotes. */
function splitWords(line, delimiter) {
  const end = `[${delimiter}]`;
  const word = RegExp(`(?:"(?:[^"]|"")*"|[^"${delimiter}]|")+|(?<=${end}|^)(?=${end}|$)`, "g");
  return line.match(word).map((each) => each.replace(/^\s*"(.*)"\s*$/, "$1").replaceAll('""', '"'));
}

/** Delimited text as a table of text. */
async function fill(table, content, { names, delimiter, hasHeader, ends = "" }) {
  const shown = names.map((name, place) => visible(name) || `column ${place + 1}`); // an index has no name
  const simple = shown.map((name) => name.toLowerCase());
  const twice = shown.find((_, place) => simple.indexOf(simple[place]) < place);
  if (twice !== undefined) throw new Error(`the file has column ${twice} twice`);
  const columns = names.map((_, place) => sql`${code(`c${place}`)}: 'VARCHAR'`);
  await withFile("given.csv", content, () =>
    run(sql`
    CREATE TABLE ${table} AS FROM read_csv('given.csv', columns = {${columns}}, header = ${code(hasHeader)},
        delim = ${delimiter}, quote = '"', escape = '"', auto_detect = false${code(ends)}) AS given (${shown.map(quoteName)})`),
  );
}

/** Rows of objects as the text of a CSV file without a header, and which columns have lists or objects. */
function writeText(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const nested = new Set();
  const write = (row, name) => {
    let value = Object.hasOwn(row, name) ? row[name] : null;
    if (typeof value === "object" && value !== null) {
      nested.add(visible(name));
      value = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
    }
    return value == null ? "" : `"${String(value).replaceAll('"', '""')}"`;
  };
  const lines = rows.map((row) => names.map((name) => write(row, name)).join(","));
  const content = new TextEncoder().encode(lines.join("\n"));
  return { names, content, delimiter: ",", hasHeader: false, ends: ", new_line = '\\n'", nested };
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
  requireForward(file.found);
  const taken = Object.values(file.found);
  const nested = taken.find((column) => file.nested?.has(column));
  if (nested) throw new Error(`${nested} has lists or objects; the playground reads one document in a row`);
  const renamed = Object.entries(file.found).map(([ours, theirs]) => sql`${quoteName(theirs)} AS ${code(ours)}`);
  const ours = list(facts.kinds[file.kind]);
  // another column of our name is not the one that the user chose
  const others = file.columns.filter((column) => !taken.includes(column) && !ours.includes(column.toLowerCase()));
  file.view = code(`view_${file.table.text}`);
  const columns = [...renamed, ...others.map(quoteName)];
  await run(sql`CREATE OR REPLACE VIEW ${file.view} AS SELECT ${columns} FROM ${file.table}`);
  if (file.kind === "run") return ask(sql`SELECT count(*) FROM rankings(${file.view})`);
  await ask(sql`FROM unusable_judgments(${file.view}) LIMIT 1`); // says which columns are missing
  // what takes judgments says why it does not: here with a run of their first document
  return ask(sql`
    WITH first AS (SELECT query_id, doc_id, 1 AS score FROM ${file.view} LIMIT 1)
    SELECT count(*) FROM subtopics(${file.view}, first)`);
}

/** Makes the tables qrels and runs of all files; the names of the runs, in the order of the files. */
export async function combine(qrels, runs) {
  const take = (file, label) => {
    const ours = Object.keys(file.found);
    const named = label && !ours.includes("run_id") ? [sql`${label} AS run_id`] : [];
    return sql`SELECT ${[...named, ...ours.map(code), ...(file.checked ?? [])]} FROM ${file.view}`;
  };
  const owners = new Map();
  for (const file of runs) {
    const found = file.found.run_id && (await ask(sql`SELECT DISTINCT run_id FROM ${file.view} ORDER BY run_id`));
    for (const name of found?.map((row) => row.run_id) ?? [file.label]) {
      const other = owners.get(name)?.name;
      if (other) throw new Error(`${other} and ${file.name} both have a run named '${name}'; give them different names`);
      owners.set(name, file);
    }
  }
  await run(sql`CREATE OR REPLACE TABLE qrels AS ${take(qrels)}`);
  const all = runs.map((file) => take(file, file.label));
  await run(sql`CREATE OR REPLACE TABLE runs AS ${join(all, " UNION ALL BY NAME ")}`);
  return [...owners.keys()];
}

export async function forget(file) {
  await run(sql`DROP VIEW IF EXISTS ${code(`view_${file.table.text}`)}`);
  await run(sql`DROP TABLE IF EXISTS ${file.table}`);
}
