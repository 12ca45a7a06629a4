// Which columns of a file are ours, by our names or those of other tools.
import facts from "facts";

const simplify = (name) => name.toLowerCase().replace(/[-_\s]/g, "");

const known = new Set(
  Object.values(facts.kinds)
    .flatMap(list)
    .flatMap((ours) => facts.columns[ours].flat()),
);

/** The names of ours that a kind of file may have, the required ones first. */
export function list(kind) {
  return [...kind.columns, ...kind.optional];
}

/** Whether the words of a first line are names of columns rather than values. */
export function isHeader(words) {
  const isNumber = (word) => word.trim() !== "" && !Number.isNaN(Number(word));
  return !words.some(isNumber) && words.some((word) => known.has(simplify(word)));
}

/** Throws if what is read as a score or relevance is, by its name, best where it is smallest. */
export function requireForward(found) {
  for (const ours of ["score", "relevance"]) {
    const like = ([, pattern]) => found[ours] && RegExp(pattern).test(simplify(found[ours]));
    const own = Object.entries(facts.reversed).find(like)?.[0];
    if (!own) continue;
    const first = own === "rank" ? "last place" : "largest distance";
    const remedy = ours === "score" ? `choose it as ${own}` : "make a column of grades";
    throw new Error(
      `${found[ours]} as ${ours} would put the ${first} first; ${remedy}. If the largest is the best, rename the column`,
    );
  }
}

/** Our names and the columns that they are, of those that a file has; `given` are the user's. */
export function match(kind, have, given = {}) {
  const found = {};
  const wanted = list(facts.kinds[kind]);
  for (const ours of wanted) if (given[ours] === "" || have.includes(given[ours])) found[ours] = given[ours];
  const chosen = Object.values(found);
  const others = have.filter((column) => !chosen.includes(column));
  for (const ours of wanted) found[ours] ??= find(ours, others);
  const simple = have.map(simplify).sort().join();
  if (kind === "qrels" && !found.relevance && simple === "corpusid,queryid,score")
    // of BEIR
    found.relevance = have.find((column) => simplify(column) === "score");
  return Object.fromEntries(Object.entries(found).filter(([, column]) => column));
}

/** The column on the earliest line of names, if it is the only one there. */
function find(ours, have) {
  if (have.includes(ours)) return ours;
  for (const names of facts.columns[ours]) {
    const same = have.filter((column) => names.includes(simplify(column)));
    if (same.length) return same.length === 1 ? same[0] : undefined;
  }
}
