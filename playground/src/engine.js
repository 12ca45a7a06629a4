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
  await run("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false");
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
  wait(() => connection.query(sql)).catch((error) => {
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

/** The rows of a query as lists of what a shell shows: DuckDB writes each value as text. */
export async function askText(sql) {
  const query = `(\n${sql.trim().replace(/;+$/, "")}\n) AS shown`;
  let table, shown;
  try {
    table = await run(`FROM ${query} LIMIT 0`);
    shown = await run(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${query}`);
  } catch {
    table = shown = await run(sql); // not a SELECT, or wrong
  }
  const fields = table.schema.fields;
  const texts = shown.schema.fields.map((_, place) => shown.getChildAt(place));
  const rows = Array.from({ length: shown.numRows }, (_, row) => texts.map((column) => column.get(row)?.toString() ?? null));
  return Object.assign(rows, {
    names: fields.map((field) => field.name),
    numeric: fields.map((field) => [2, 3, 7].includes(field.type.typeId)), // of Arrow: Int, Float, Decimal
  });
}

/** An error in the words of the macro that raised it, without DuckDB's name for its kind. */
function explain(error) {
  const said = String(error.message ?? error).replace(/^(Error: )*/, "");
  return new Error(said.replace(/^Invalid Input Error: /, "").trim());
}

/** The result of a query as the bytes of a CSV file, written by DuckDB. */
export async function writeCsv(sql) {
  await run(`COPY (${sql.trim().replace(/;$/, "")}\n) TO 'download.csv' (HEADER)`);
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

export const quote = (text) => `'${String(text).replaceAll("'", "''")}'`;
export const quoteName = (name) => `"${String(name).replaceAll('"', '""')}"`;
