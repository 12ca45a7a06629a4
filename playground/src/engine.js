// DuckDB in a worker, with the macros: what the page asks, it asks here.
import { AsyncDuckDB, DuckDBAccessMode, VoidLogger } from "@duckdb/duckdb-wasm/dist/duckdb-browser.mjs";

let database,
  connection,
  queue = Promise.resolve();

/** Loads the engine and the macros; `say` is told what is being loaded. */
export async function start(say) {
  say("Loading DuckDB, 8 MB once …");
  const [engine, worker, macros] = await Promise.all(
    ["duckdb.wasm.gz", "duckdb.worker.js.gz", "metrics.duckdb.gz"].map(fetchUnpacked),
  );
  say("Starting DuckDB …");
  // a worker made here has the page's security policy: it can reach no other server
  const url = (content, type) => URL.createObjectURL(new Blob([content], { type }));
  database = new AsyncDuckDB(new VoidLogger(), new Worker(url(worker, "text/javascript")));
  await database.instantiate(url(engine, "application/wasm"));
  await database.registerFileBuffer("playground.duckdb", new Uint8Array(macros));
  await database.open({ path: "playground.duckdb", accessMode: DuckDBAccessMode.READ_WRITE });
  connection = await database.connect();
  await run(sql`SET autoinstall_known_extensions = false; SET autoload_known_extensions = false`);
}

async function fetchUnpacked(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return unpack(await answer.arrayBuffer());
}

/** Bytes without the compression of gzip, if they have it; a server may have removed it. */
export async function unpack(bytes) {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
}

/** One statement after the other: asks wait for those before them. */
function wait(task) {
  const done = queue.then(task);
  queue = done.catch(() => {});
  return done;
}

export const run = (sql) =>
  wait(() => connection.query(sql.text)).catch((error) => {
    throw explain(error);
  });

/** The rows of a query as objects, and the names of its columns. */
export async function ask(sql) {
  const table = await run(sql);
  const names = table.schema.fields.map((field) => field.name);
  const rows = table.toArray().map((row) => {
    const read = row.toJSON();
    for (const name of names) if (typeof read[name] === "bigint") read[name] = Number(read[name]);
    return read;
  });
  return Object.assign(rows, { names });
}

// what Arrow gives exactly: null, integers, text and booleans
const PLAIN = [1, 2, 5, 6];
const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*\)|DOUBLE|FLOAT)$/;

/** Runs statements; the rows of the last as lists of what a shell shows: DuckDB writes each value as text. */
export async function askText(statements) {
  if (statements.length > 1) await run(code(statements.slice(0, -1).join(";\n")));
  const last = code(statements.at(-1) ?? "");
  const rows = sql`(\n${last}\n) AS shown`;
  const types = await run(sql`DESCRIBE FROM ${rows}`).catch(() => null); // not a SELECT, or wrong
  const shown = await run(types ? sql`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${rows}` : last);
  const fields = shown.schema.fields;
  if (!types && fields.some((field) => !PLAIN.includes(field.type.typeId)))
    throw new Error("It ran; what it returns is shown only for a SELECT");
  const texts = fields.map((_, place) => shown.getChildAt(place));
  const found = Array.from({ length: shown.numRows }, (_, row) =>
    texts.map((column) => column.get(row)?.toString() ?? null),
  );
  const described = types?.toArray() ?? fields.map((field) => ({ column_name: field.name, column_type: "" }));
  return Object.assign(found, {
    names: described.map((column) => column.column_name),
    numeric: described.map((column) => NUMERIC.test(column.column_type)),
  });
}

/** An error in the words of the macro that raised it, without DuckDB's name for its kind. */
function explain(error) {
  const said = String(error.message ?? error).replace(/^(Error: )*/, "");
  return new Error(said.replace(/^Invalid Input Error: /, "").trim());
}

/** The result of a query as the bytes of a CSV file, written by DuckDB. */
export async function writeCsv(query) {
  await run(sql`COPY (${query}\n) TO 'download.csv' (HEADER)`);
  const bytes = await database.copyFileToBuffer("download.csv");
  await database.dropFile("download.csv");
  return bytes;
}

/** Gives a query a file by name while it runs. */
export async function withFile(name, bytes, task) {
  await database.registerFileBuffer(name, new Uint8Array(bytes));
  try {
    return await task();
  } finally {
    await database.dropFile(name);
  }
}

// SQL is made here and nowhere else: what is not SQL already is written as a value

class Sql {
  constructor(text) {
    this.text = text;
  }
}

/** Text that is SQL: the user's own, or the package's. */
export const code = (text) => new Sql(text);

/** A query with values in it; a list is written with commas. */
export const sql = (parts, ...values) =>
  code(parts.map((part, place) => part + (place < values.length ? write(values[place]) : "")).join(""));

export const join = (those, between) => code(those.map(write).join(between));

/** A name of a column, in double quotes. */
export const quoteName = (name) => code(`"${visible(name).replaceAll('"', '""')}"`);

const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]/gu;

/** Text with its control characters as `\x1b`. */
export const visible = (text) =>
  String(text).replace(CONTROL, (character) => {
    const hex = character.charCodeAt().toString(16);
    return hex.length < 3 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex}`;
  });

function write(value) {
  if (value instanceof Sql) return value.text;
  if (Array.isArray(value)) return value.map(write).join(", ");
  if (typeof value === "number") return String(value);
  const text = String(value).toWellFormed().replaceAll("'", "''");
  const encoded = text.replaceAll("%", "%25").replace(CONTROL, encodeURIComponent);
  return encoded === text.replaceAll("%", "%25") ? `'${text}'` : `url_decode('${encoded}')`;
}
