// The documents of a query by two runs, side by side.
import { ask, quote } from "./engine.js";

/** The documents of a query, with the rank by each run, and the grade if there is a judgment. */
export function writeDocuments(query, before, after) {
  return `-- the documents of ${query}: ranks by ${before} (a) and ${after} (b)
WITH found AS (
    FROM runs WHERE query_id = ${quote(query)} AND run_id IN (${quote(before)}, ${quote(after)})
),
ranked AS (FROM rankings(found)),
a AS (FROM ranked WHERE run_id = ${quote(before)}),
b AS (FROM ranked WHERE run_id = ${quote(after)}),
grades AS (
    SELECT doc_id, max(CAST(relevance AS DOUBLE)) AS grade
    FROM qrels WHERE query_id = ${quote(query)} GROUP BY doc_id
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
export function move({ rank, other }) {
  if (other === null) return ["only here", "●", "up"];
  if (other === rank) return ["same rank", "", "tie"];
  const places = Math.abs(other - rank);
  return other > rank ? [`up ${places}`, `▲ ${places}`, "up"] : [`down ${places}`, `▼ ${places}`, "down"];
}
