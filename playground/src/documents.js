// The documents of a query by two runs, side by side.
import { ask, sql } from "./engine.js";
import { make, number, table } from "./tables.js";

/** The documents of a query, with the rank by each run, and the grade if there is a judgment. */
export function writeDocuments(query, before, after) {
  return sql`-- the documents of a query: ranks by two runs, a and b
WITH found AS (
    FROM runs WHERE query_id = ${query} AND run_id IN (${before}, ${after})
),
ranked AS (FROM rankings(found)),
a AS (FROM ranked WHERE run_id = ${before}),
b AS (FROM ranked WHERE run_id = ${after}),
grades AS (
    SELECT doc_id, max(CAST(relevance AS DOUBLE)) AS grade
    FROM qrels WHERE query_id = ${query} GROUP BY doc_id
)
SELECT doc_id, g.grade, a.rank AS rank_a, a.score AS score_a, b.rank AS rank_b, b.score AS score_b
FROM a
FULL JOIN b USING (doc_id)
FULL JOIN grades AS g USING (doc_id)
ORDER BY least(a.rank, b.rank), doc_id`;
}

/** The rows of each run by rank, and the relevant documents that neither has. */
export async function compareDocuments(query, before, after) {
  const rows = await ask(writeDocuments(query, before, after));
  const list = (own, other) =>
    rows
      .filter((row) => row[own] !== null)
      .sort((x, y) => x[own] - y[own])
      .map((row) => ({ doc: row.doc_id, grade: row.grade, rank: row[own], other: row[other] }));
  return {
    before: list("rank_a", "rank_b"),
    after: list("rank_b", "rank_a"),
    missed: rows.filter((row) => row.rank_a === null && row.rank_b === null && row.grade > 0),
  };
}

/** How a document moved: up, down, new or not at all, in a word and as a sign. */
function move({ rank, other }) {
  if (other === null) return ["only here", "●", "up"];
  if (other === rank) return ["same rank", "", "tie"];
  const places = Math.abs(other - rank);
  return other > rank ? [`up ${places}`, `▲ ${places}`, "up"] : [`down ${places}`, `▼ ${places}`, "down"];
}

/** The tables of one run or two, and the relevant documents that they lack. */
export function drawDocuments(query, before, after, found) {
  const isPair = before !== after;
  const columns = [
    { name: "rank", key: (row) => row.rank, cell: (row) => number(row.rank, String(row.rank)) },
    { name: "document", key: (row) => row.doc, text: true, cell: (row) => row.doc },
    {
      name: "grade",
      key: (row) => row.grade,
      cell: (row) =>
        row.grade === null
          ? make("span", { class: "soft" }, "not judged")
          : make("span", { class: row.grade > 0 ? "grade relevant" : "grade" }, String(row.grade)),
    },
  ];
  const moved = {
    name: "moved",
    key: (row) => (row.other === null ? null : row.other - row.rank),
    cell: (row) => {
      const [words, sign, tone] = move(row);
      return make(
        "span",
        { class: tone, title: words },
        make("span", { "aria-hidden": "true" }, sign || "="),
        make("span", { class: "hidden" }, words),
      );
    },
  };
  const list = (run, rows, ...more) =>
    make(
      "div",
      {},
      make("h3", {}, run),
      rows.length
        ? table(`${query} by ${run}`, [...columns, ...more], rows, { most: 20 })
        : make("p", { class: "note" }, `${run} has no results for this query.`),
    );
  const missed = found.missed.map((row) => `${row.doc_id} (${+row.grade})`).join(", ");
  return [
    list(before, found.before),
    ...(isPair ? [list(after, found.after, moved)] : []),
    ...(isPair ? [make("p", { class: "note" }, "▲▼: places up or down from the baseline; ●: only in this run.")] : []),
    ...(missed ? [make("p", { class: "note" }, `Relevant, but not retrieved: ${missed}`)] : []),
  ];
}
