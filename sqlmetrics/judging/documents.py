"""Documents: what the score of a query is made of, beside that of another run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import parsing, quote
from ..catalogue.conventions import choose
from ..catalogue.measures import Measure, require_kind
from ..custom_metrics import knowing_macros
from ..engine.connections import open_reader
from ..engine.given import read_judgments, read_runs
from ..engine.relations import relate
from ..errors import InputError, read_names, refuse, require_whole
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.grades import read_grades
from ..progress import begin, collecting_remarks, remark
from ..result import Result, Table, show_signed
from ..score import evaluate

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions, Conventions

# What is added to the id of a document that is replaced: among tied documents, it keeps its place.
_REPLACED = "\x01"

_LIST = ["run_id", "query_id"]

# How many rows of lists without single documents are scored at once, and at most: a minute's work.
_AT_ONCE, _MOST = 1_000_000, 20_000_000


@dataclass(frozen=True, repr=False)
class Documents(Result):
    """The result of `explain_query`.

    - ``documents``: a row for each document that a run retrieved or that is judged: ``query_id``,
      ``run_id``, ``doc_id``, ``relevance`` (null if it is not judged), ``rank`` and ``score`` by
      the run (null if it was not retrieved) and ``contribution`` to the metric's score.
    - ``scores``: ``query_id``, ``run_id`` and the ``score`` of each run by the metric.
    - ``metric``: its name.

    Printed, it is a table for each query.
    """

    documents: pl.DataFrame
    scores: pl.DataFrame
    metric: str
    k: int

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """Each query's first ``k`` documents by any run, and others that contribute to a score.

        Those whose contributions differ most between the runs come first; there are no more than
        three times ``k``.
        """
        for (query,), rows in self.documents.group_by("query_id", maintain_order=True):
            scores = dict(self.scores.filter(query_id=query).select("run_id", "score").rows())
            frame = self._list_documents(rows, [*scores], digits)
            title = _describe(str(query), self.metric, scores, digits)
            yield Table(frame, title, right=frame.columns[1:])

    def choose(self, *runs: str) -> Documents:
        """The same of these runs, in this order."""
        order = pl.col("run_id").replace_strict(
            {run: number for number, run in enumerate(runs)}, default=None, return_dtype=pl.Int64
        )
        documents, scores = (
            frame.filter(order.is_not_null()).sort("query_id", order, maintain_order=True)
            for frame in (self.documents, self.scores)
        )
        return replace(self, documents=documents, scores=scores)

    def _list_documents(self, rows: pl.DataFrame, runs: list[str], digits: int) -> pl.DataFrame:
        columns = ["rank", "contribution"]
        found = rows.pivot("run_id", runs, index=["doc_id", "relevance"], values=columns)
        parts = [f"contribution_{run}" for run in runs]
        known = [pl.col(part).fill_null(0) for part in parts]
        spread = (pl.max_horizontal(known) - pl.min_horizontal(known)).round(12)
        best = pl.min_horizontal(f"rank_{run}" for run in runs)
        contributes = pl.any_horizontal(part != 0 for part in known)
        order = [spread, best, pl.col("doc_id")]
        kept = found.filter((best <= self.k) | contributes)
        kept = kept.sort(order, descending=[True, False, False], nulls_last=True).head(3 * self.k)
        shown: dict[str, Any] = {
            "document": kept["doc_id"].to_list(),
            "relevance": ["" if x is None else f"{x:g}" for x in kept["relevance"]],
        }
        for run, part in zip(runs, parts, strict=True):
            before = f"{run}: " if len(runs) > 1 else ""
            shown[f"{before}rank"] = kept[f"rank_{run}"]
            shown[f"{before}adds"] = kept[part]
        if len(runs) == 2:
            changes = kept.select(known[1] - known[0]).to_series()
            shown["difference"] = [show_signed(x or None, digits) for x in changes]
        return pl.DataFrame(shown)


def explain_query(
    qrels: Data,
    run: Runs,
    query: str | Iterable[str] | None = None,
    metric: str = "nDCG@10",
    conventions: Conventions | None = None,
    *,
    k: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> Documents:
    """Why a query scores as it does: the documents of runs beside each other, and what each adds.

    A document adds to the score what the run would lose with an unjudged document in its place. For
    metrics that are sums over documents, such as nDCG, P and Recall, these add up to the score; for
    others they need not: RR loses only the difference to the next relevant document.

    - ``qrels``, ``run``, ``con``, ``columns``, ``run_names``, ``conventions``: as for `evaluate`.
    - ``query``: the id of a query, or several; those that lose most are named if there is none.
    - ``metric``: the metric to explain.
    - ``k``: how many ranks to show; by default the metric's cut-off, or 10.

    Returns `Documents`: all documents of the query in a frame, and tables for people.

    Raises `InputError` for data that cannot be read, and for a query without judgments.

    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> runs = {"old": {"q": {"x": 2.0, "a": 1.0}}, "new": {"q": {"a": 2.0, "b": 1.0}}}
    >>> explain_query(qrels, runs, "q", "P@2")
    q: P@2 of old 0.5000, new 1.0000 (+0.5000)
    <BLANKLINE>
    document  relevance  old: rank  old: adds  new: rank  new: adds  difference
    b                 1                                2     0.5000     +0.5000
    a                 1          2     0.5000          1     0.5000
    x                            1
    <BLANKLINE>
    A document adds what the score would lose with an unjudged one in its place.
    Without a rank it was not retrieved, without a relevance it is not judged.
    """
    queries = read_names("query", query)
    chosen = choose(conventions, options)
    with knowing_macros(con, metric):
        wanted = parsing.parse(metric, chosen.parameters)
    if len(wanted) != 1:
        raise InputError(f"metric must be one, not {len(wanted)}: {metric}")
    require_kind(wanted, "runs")
    if wanted[0].summary == "none":
        raise InputError(f"metric must be one whose scores are numbers, not {metric}")
    own = chosen.give(wanted[0].arguments)
    if k is None:
        k = cutoff if isinstance(cutoff := own.get("k"), int) else 10
    require_whole("k", k)
    if not queries:
        known = evaluate(qrels, run, metric, chosen, con=con, columns=columns, run_names=run_names)
        raise InputError(_name_worst(known.per_query.select(*_LIST, score=known.metrics[0].name)))
    # the other orders depend on judgments, or are several
    ties = str(own.get("ties", chosen.ties))
    is_fixed = ties in ("descending", "ascending", "input", "rank")
    order = ties if is_fixed else "descending"
    with open_reader(con, columns, run_names, with_ranks=ties == "rank") as reader:
        reader.grades = read_grades(chosen.grades)
        reader.repeated = chosen.repeated
        judgments = read_judgments(reader, qrels)
        left, chosen = chosen.exclude, replace(chosen, exclude=None)
        found = read_runs(reader, run, judgments.judged, left, score_type=chosen.score_type)
        remark(reader.notes)
        begin("looking up documents")
        asked = f"SELECT DISTINCT query_id FROM {judgments.table}"
        _require_judged(queries, [name for (name,) in reader.con.execute(asked).fetchall()])
        # DuckDB 1.5 fails where it hands IN to the scan of a frame
        is_wanted = f"list_contains([{', '.join(map(quote, queries))}], query_id)"
        tables = {
            name: reader.keep(f"SELECT * FROM {given.table} WHERE {is_wanted}")
            for name, given in (("qrels", judgments), ("run", found))
        }
        first = reader.con.sql(f"SELECT run_id FROM {tables['run']}").pl()["run_id"]
        first = found.run_ids if len(found.inputs) > 1 else first.unique(maintain_order=True)
        runs = dict.fromkeys([*first, *found.run_ids])
        rows = relate(reader, "documents", tables, checked=[*tables], ties=order)
        listed = rows.read().with_columns(pl.col("rank").cast(pl.Int64))
    judged = listed.filter(pl.col("relevance").is_not_null())
    lists = listed.filter(pl.col("rank").is_not_null())
    refuse({f"no run has documents for the query {queries[0]!r}": lists.is_empty()})
    if is_fixed:
        # these ranks, whatever the ties
        lists = lists.with_columns(score=-pl.col("rank").cast(pl.Float64))
        chosen = replace(chosen, ties="descending")
        others = tuple(pair for pair in wanted[0].arguments if pair[0] != "ties")
        wanted = [replace(wanted[0], arguments=others)]
        lists = lists.filter(pl.col("rank") <= (chosen.depth or pl.col("rank")))
    begin("scoring without single documents")
    parts, most = _find_parts(lists, judged, wanted[0], chosen, con)
    wholes = parts.filter(number=0).drop("doc_id", "number")
    scores = (
        pl.DataFrame({"query_id": queries})
        .join(pl.DataFrame({"run_id": [*runs]}), how="cross")
        .join(wholes, on=_LIST, how="left", maintain_order="left")
    )
    is_explained = pl.col("relevance").is_not_null() & pl.col("rank").is_not_null()
    is_explained &= pl.col("number").fill_null(0) <= most
    # judged documents below the cut-off add nothing
    adds = pl.col("whole") - pl.col("less").fill_null(pl.col("whole"))
    documents = (
        scores.rename({"score": "whole"})
        .join(listed, on=_LIST, maintain_order="left")
        .join(parts.rename({"score": "less"}), on=[*_LIST, "doc_id"], how="left")
        .sort("query_id", "rank", "doc_id", nulls_last=True)
        .with_columns(contribution=pl.when(is_explained).then(adds))
        .select("query_id", "run_id", "doc_id", "relevance", "rank", "score", "contribution")
    )
    method = "A document adds what the score would lose with an unjudged one in its place. "
    method += "Without a rank it was not retrieved, without a relevance it is not judged."
    more = [] if is_fixed else [f"Tied documents have one order here, not ties={ties!r}."]
    if parts.filter(pl.col("number") > most).height:
        more.append(
            f"Only the first {most} judged documents of each list are explained, since all would "
            "take hours; to explain more, name fewer queries and runs, or cut the runs with depth."
        )
    return Documents(documents, scores, wanted[0].name, k, method=method, notes=tuple(more))


def _name_worst(scores: pl.DataFrame) -> str:
    """What to write for the queries that lose most from the first run to the last, or are worst."""
    last, first = (scores.filter(run_id=scores["run_id"][place]) for place in (-1, 0))
    order = [pl.col("score") - pl.col("score_right"), pl.col("score"), pl.col("query_id")]
    ids = last.join(first, on="query_id").sort(order)["query_id"].head(3)
    most = f"{', '.join(ids)} lose most or, without a loss, score lowest"
    return f"name a query: query={ids[0]!r} or --query {ids[0]!r}; {most}"


def _require_judged(queries: Iterable[str], known: list[str]) -> None:
    """Raise `InputError` for a query without judgments."""
    for each in queries:
        if each not in known:
            near = get_close_matches(each, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else "name one that is judged"
            raise InputError(f"no query {each!r} in the judgments; {hint}")


def _find_parts(
    lists: pl.DataFrame,
    judged: pl.DataFrame,
    measure: Measure,
    conventions: Conventions,
    con: duckdb.DuckDBPyConnection | None,
) -> tuple[pl.DataFrame, int]:
    """The score of each list without each of its judged documents, and, of number 0, the whole.

    Each is scored as a run of its own, named after the number of the document in its list. Returned
    is also how many documents of a list that may be at most.
    """
    height = lists.height + judged.height
    most, step = max(10, _MOST // height), max(1, _AT_ONCE // height)
    grades = judged.select("query_id", "doc_id", "relevance").unique()
    counts = pl.col("relevance").is_not_null()
    cutoff = dict(measure.arguments).get("k")
    # the ranks of other orders, and those among judged documents, are not these
    own = conventions.give(measure.arguments).keys() & {"ties", "judged_only"}
    if isinstance(cutoff, int) and not (own or conventions.expects):
        counts &= pl.col("rank") <= cutoff
    numbered = lists.filter(counts).sort("rank")
    numbered = numbered.select(
        *_LIST, gone="doc_id", number=pl.int_range(1, pl.len() + 1).over(_LIST)
    )
    whole = lists.select(_LIST).unique().with_columns(gone=pl.lit(""), number=pl.lit(0))
    variants = pl.concat([whole, numbered], how="vertical_relaxed")
    variants = variants.with_columns(variant=pl.format("{}\x01{}", "run_id", "number"))
    replaced = (
        pl.when(pl.col("doc_id") == pl.col("gone")).then(pl.lit(_REPLACED)).otherwise(pl.lit(""))
    )
    found = []
    for first in range(0, most + 1, step):
        some = variants.filter(pl.col("number").is_between(first, min(first + step - 1, most)))
        if some.is_empty():
            break
        ranked = lists.join(some, on=_LIST).select(
            "query_id", "score", run_id="variant", doc_id=pl.col("doc_id") + replaced
        )
        with collecting_remarks():  # on lists that nobody gave
            scores = evaluate(grades, ranked, [measure.canonical_name], conventions, con=con)
        score = pl.last().cast(pl.Float64)
        found.append(scores.per_query.select("query_id", variant="run_id", score=score))
    scored = variants.join(pl.concat(found), on=["variant", "query_id"], how="left")
    return scored.select(*_LIST, "number", "score", doc_id="gone"), most


def _describe(query: str, metric: str, scores: Mapping[str, float | None], digits: int) -> str:
    """``q3: nDCG@10 of bm25 0.4100, neural 0.6200 (+0.2100)``."""
    parts = [
        f"{run} nothing retrieved" if score is None else f"{run} {score:.{digits}f}"
        for run, score in scores.items()
    ]
    known = [score for score in scores.values() if score is not None]
    change = f" ({known[1] - known[0]:+.{digits}f})" if len(known) == len(scores) == 2 else ""
    return f"{query}: {metric} of {', '.join(parts)}{change}"
