// Builds the page into dist/: everything that it needs, so that any server of files can host it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
process.chdir(here);
const dist = "dist/",
  made = "dist/made/";
rmSync(dist, { recursive: true, force: true });
mkdirSync(made, { recursive: true });

execFileSync(process.env.PYTHON ?? "python", ["facts.py", made], { stdio: "inherit" });

const duckdb = "node_modules/@duckdb/duckdb-wasm/dist/";
// compressed here, so that the page takes 8 MB from servers that do not compress, too
for (const [from, to] of [
  [`${duckdb}duckdb-eh.wasm`, "duckdb.wasm.gz"],
  [`${duckdb}duckdb-browser-eh.worker.js`, "duckdb.worker.js.gz"],
  [`${made}metrics.duckdb`, "metrics.duckdb.gz"],
])
  writeFileSync(dist + to, gzipSync(readFileSync(from), { level: 9 }));

const shared = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
};
const { metafile } = await build({
  ...shared,
  entryPoints: ["src/page.js"],
  outdir: dist,
  alias: { facts: `./${made}facts.json` },
});
// the report's looks, and what the page adds to them
await build({ ...shared, entryPoints: ["src/style.css"], outdir: dist });
writeFileSync(`${dist}index.html`, readFileSync("src/index.html"));
rmSync(made, { recursive: true });

// the licences of what is in the page
const packages = new Set(
  Object.keys(metafile.inputs).map((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1]),
);
const licences = [...packages]
  .filter(Boolean)
  .sort()
  .map((name) => {
    const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
    const texts = ["LICENSE", "LICENSE.txt", "LICENSE.md"]
      .map((file) => `node_modules/${name}/${file}`)
      .filter(existsSync);
    return [`${name} ${version}: ${license}`, ...texts.map((path) => readFileSync(path, "utf-8"))].join("\n\n");
  });
writeFileSync(`${dist}licences.txt`, licences.join(`\n\n${"-".repeat(80)}\n\n`));

const files = readdirSync(dist);
const hash = createHash("sha256");
for (const name of files) hash.update(readFileSync(dist + name));
const define = {
  FILES: JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]),
  VERSION: JSON.stringify(hash.digest("hex").slice(0, 12)),
};
await build({ ...shared, entryPoints: ["src/offline.js"], outdir: dist, define });
