"""Scores: judgments and runs in, one SELECT, per-query and mean scores out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import duckdb
import polars as pl

from . import catalogue, measures
from .catalogue import Value
from .checks import (
    check_coverage,
    check_run_ids,
    describe_refusal,
    refuse,
    require_order,
    require_ranks,
)
from .columns import QRELS, RUN, Columns, quote_name
from .conventions import Conventions, ScoreType, Ties, choose
from .errors import InputError, MeasureError
from .files import reading
from .measures import Measure
from .sources import Data, Input, Reader, RunNames
from .streams import Stream


@dataclass(frozen=True)
class Scores:
    """What `evaluate` returns.

    ``per_query``: a row for every judged query of every run, with the columns ``run_id`` and
    ``query_id`` (text) and one for each measure (float), sorted by run and query.
    ``mean``: a row per run, ``run_id`` and the mean of each measure over the judged queries; counts
    such as NumRet are summed. ``sql``: the statement, which runs wherever the macros are installed,
    over the same files and tables; what was a frame, a pipe or a URL is gone from it.
    ``measures``: what was asked for, as read. ``notes``: what to know of the inputs, a line each:
    columns that go by other names, queries that were left out.
    """

    per_query: pl.DataFrame
    mean: pl.DataFrame
    sql: str
    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([repr(self.mean), *self.notes])


def evaluate(
    qrels: Data,
    run: Data,
    metrics: str | Iterable[str],
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    preset: str | None = None,
    ties: Ties | None = None,
    score_type: ScoreType | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    queries: str | Iterable[str] | None = None,
) -> Scores:
    """Score one or more runs against judgments; returns `Scores`.

    ``qrels`` has the columns query_id, doc_id, relevance; ``run`` has query_id, doc_id, score (or
    a rank in its place) and, when it holds several runs, run_id. Other names are recognised where
    they are common (qid, docno, user, item, rel, sim, …), which ``notes`` of the result tell;
    ``columns`` says it for the rest: ``{"doc_id": "sku"}``, by number where there is no header:
    ``{"query_id": 1, "doc_id": 2, "score": 3}``.

    Each is a path or URL (CSV, TSV, JSON lines, Parquet, TREC text, also as .gz or .zst), an open
    file, a frame of polars, pandas or Arrow, a DuckDB relation, a dict of dicts as of pytrec_eval,
    named tuples as of ir_measures and ir_datasets, or with ``con`` the name of a table on that
    connection. Several runs are a list, a folder, a pattern like ``"runs/*.txt"`` or a dict by
    name; else a run is called by its file or table, or with ``run_names="tag"`` by the last column
    of TREC text. For judgments, and within a dict, a folder or pattern is one table in many files.

    ``metrics`` are names like ``"nDCG@10 AP(rel=2)@100"``, in one string or several; `metrics()`
    lists them.

    Documents are ranked by score; unjudged ones are not relevant; every judged query counts, and
    scores 0 when a run does not answer it. The options change this, and ``preset`` sets them as a
    tool has them (`presets()`); ``rel`` is that of every measure whose name does not give another.

    ``ties``: tied documents stand by document id ``"descending"`` (default, as in trec_eval) or
    ``"ascending"``, as in the ``"input"``, by its column ``"rank"``, relevant ones first
    (``"best"``) or last (``"worst"``); ``"expected"`` is the mean score over all their orders.
    ``score_type``: ``"float32"`` compares scores as trec_eval did up to version 9; close scores are
    tied then. ``depth``: only so many documents of each query. ``judged_only``: ranks pass over
    unjudged documents. ``queries``: all that are ``"judged"`` (default), only those also
    ``"answered"`` by the run, only those with something ``"relevant"``, or both:
    ``"answered, relevant"``.

    Inputs are read more than once, so a view must give the same rows each time. Temporary macros on
    ``con`` that have the name of one of ours are replaced.

    Raises `InputError` for data that cannot be read or would give a wrong number, `MeasureError`
    for a metric or parameter that does not exist; both are `SqlMetricsError` and ValueError.

    >>> qrels = {"q1": {"a": 1}}
    >>> run = {"q1": {"a": 1.0, "b": 2.0}}
    >>> evaluate(qrels, run, "RR P@1 R@2").mean.rows()
    [('run', 0.5, 0.0, 1.0)]
    >>> evaluate(qrels, {"q1": {"a": 1.0, "b": 1.0}}, "RR", ties="expected").mean.rows()
    [('run', 0.75)]
    """
    conventions = choose(
        preset, ties=ties, score_type=score_type, depth=depth, judged_only=judged_only, rel=rel,
        queries=queries,
    )  # fmt: skip
    wanted = _parse(metrics, conventions)
    with open_reader(con, columns, run_names, with_ranks=conventions.ties == "rank") as reader:
        judgments = reader.read(qrels, QRELS)
        runs = {
            name: reader.read(data, RUN, name, conventions.score_type)
            for name, data in reader.list_runs(run).items()
        }
        with reading(" or ".join(each.name for each in (judgments, *runs.values()))):
            per_query, notes = _score(reader, wanted, conventions, judgments, runs)
    union = "\nUNION ALL BY NAME\n".join(each.query for each in runs.values())
    statement = build(wanted, conventions, {"_qrels": judgments.query, "_run": union})
    mean = _average(per_query, wanted)
    return Scores(per_query, mean, statement, tuple(wanted), (*reader.notes, *notes))


@contextmanager
def open_reader(
    con: duckdb.DuckDBPyConnection | None,
    columns: Columns | None,
    run_names: RunNames,
    *,
    with_ranks: bool,
) -> Iterator[Reader]:
    """A reader of inputs, on the user's connection or one of its own, which undoes what it did."""
    if not isinstance(con, duckdb.DuckDBPyConnection | None):
        raise InputError(f"con is a connection by duckdb.connect(), not a {type(con).__name__}")
    if run_names not in ("file", "tag"):
        raise InputError(f"run_names is 'file' or 'tag', not {run_names!r}")
    with _raising_keyboard_interrupt(), ExitStack() as undo:
        own = con or undo.enter_context(duckdb.connect())
        if con:
            undo.enter_context(catalogue.dropping_macros(con))
        else:  # DuckDB would print a bar to stdout in a notebook, or where it takes us for one
            own.execute("SET enable_progress_bar = false")
        yield Reader(
            own,
            undo,
            has_tables=bool(con),
            columns=columns,
            by_tag=run_names == "tag",
            with_ranks=with_ranks,
        )


def _parse(metrics: str | Iterable[str], conventions: Conventions) -> list[Measure]:
    wanted = measures.parse(metrics, conventions.parameters)
    if conventions.expects:
        known = catalogue.files()["expected"]
        if without := [m.name for m in wanted if f"expected_{m.metric.macro}" not in known]:
            able = sorted(
                m.names[0] for m in catalogue.all_metrics() if f"expected_{m.macro}" in known
            )
            raise MeasureError(
                f"{', '.join(without)} has no expected score over the orders of tied documents; "
                f"there is one for {', '.join(able)}"
            )
    return wanted


@contextmanager
def _raising_keyboard_interrupt() -> Iterator[None]:
    """Turn what DuckDB makes of Ctrl-C back into what Python makes of it."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def _score(
    reader: Reader,
    wanted: Sequence[Measure],
    conventions: Conventions,
    judgments: Input,
    runs: Mapping[str, Input],
) -> tuple[pl.DataFrame, list[str]]:
    con = reader.con
    check_run_ids(con, runs.values())
    if conventions.ties == "rank":
        require_ranks(con, runs.values())
    if conventions.ties == "input":
        require_order(con)
    run = reader.keep(" UNION ALL BY NAME ".join(f"FROM {each.table}" for each in runs.values()))
    plan = choose_plan(con, judgments.table, run, len(runs))
    files = catalogue.needed_files(
        (measure.metric for measure in wanted), plan=plan, expected=conventions.expects
    )
    catalogue.create_macros(con, files, temporary=True)
    refuse(con, judgments, runs.values())
    notes = check_coverage(con, judgments, runs, run, conventions)
    qrels = judgments.table
    if "relevant" in conventions.queries:
        qrels = reader.keep(_keep_relevant(qrels, conventions.rel))
    try:
        scores = reader.keep(build(wanted, conventions, tables=(qrels, run)), as_table=True)
    except duckdb.InvalidInputException as error:  # from error() in a macro
        raise InputError(describe_refusal(con, judgments, str(error))) from None
    order = "ORDER BY run_id COLLATE C ASC, query_id COLLATE C ASC"
    per_query = pl.DataFrame(Stream(con.sql(f"FROM {scores} {order}")))
    for measure in wanted:
        endless = per_query.filter(~pl.col(measure.name).is_finite())
        for query_id in endless["query_id"].head(1):
            raise InputError(
                f"{measure.name} is too large a number for query {query_id}; "
                f"look for large grades in {judgments.name}"
            )
    return per_query, notes


def _keep_relevant(qrels: str, rel: Value) -> str:
    """The judgments of the queries that have something relevant."""
    query_id = "CAST(query_id AS VARCHAR) COLLATE C"  # not judgments(…), which may not be nested
    relevant = f"SELECT {query_id} FROM {qrels} WHERE relevance >= {catalogue.quote(rel)}"
    return f"SELECT * FROM {qrels}\nWHERE {query_id} IN ({relevant})"


# Counting beats sorting from so many retrieved documents for each judged one on, and while no query
# has more judgments than so many: it compares every score with those of the judged documents.
_RETRIEVED, _JUDGED = 20, 50


def choose_plan(con: duckdb.DuckDBPyConnection, qrels: str, run: str, runs: int) -> str:
    """The plan by which so many runs in one table are ranked fastest."""
    query = f"""
        SELECT (SELECT count(*) FROM {run}) > {_RETRIEVED * runs} * sum(number)
            AND max(number) <= {_JUDGED}
        FROM (SELECT count(*) AS number FROM {qrels} GROUP BY query_id)
    """
    ((is_sparse,),) = con.execute(query).fetchall()
    return "counting" if is_sparse else "sorting"


# DuckDB 2.0 takes seconds to plan many of them in one SELECT.
_EXPECTED_AT_ONCE = 10


def build(
    wanted: Sequence[Measure],
    conventions: Conventions,
    definitions: Mapping[str, str] | None = None,
    tables: tuple[str, str] = ("_qrels", "_run"),
) -> str:
    """The SELECT of all measures, per run and query, over two tables named as in SQL.

    ``definitions`` are queries by name, to stand before it. Measures of the same relation with the
    same arguments are columns of one query over it; several such queries are joined.
    """
    ctes = dict(definitions or {})
    qrels, run = tables
    if definitions is not None and "relevant" in conventions.queries:
        ctes["_counted"] = _keep_relevant(qrels, conventions.rel)
        qrels = "_counted"
    groups: dict[str, list[Measure]] = {}
    names: dict[str, str] = {}
    for measure in wanted:
        call = _relate(measure, conventions, qrels, run, names)
        groups.setdefault(call, []).append(measure)
    ctes |= {name: f"SELECT * FROM {call}" for call, name in names.items()}
    queries = []
    for call, group in groups.items():
        relation = names.get(call, call)
        if conventions.expects and len(group) > _EXPECTED_AT_ONCE:
            relation = f"_rows_{len(ctes)}"
            ctes[relation] = f"SELECT * FROM {call}"
        step = _EXPECTED_AT_ONCE if conventions.expects else len(group)
        chunks = (group[start : start + step] for start in range(0, len(group), step))
        queries += [_select(part, relation, conventions) for part in chunks]
    query = queries[0] + "\nORDER BY j.run_id ASC, j.query_id ASC"
    if len(queries) > 1:
        parts = [f"_scores_{number}" for number in range(1, len(queries) + 1)]
        ctes |= dict(zip(parts, queries, strict=True))
        joins = "".join(f"\nJOIN {part} USING (run_id, query_id)" for part in parts[1:])
        query = _list_columns(["run_id", "query_id", *(quote_name(m.name) for m in wanted)])
        query += f"\nFROM {parts[0]}{joins}\nORDER BY run_id ASC, query_id ASC"
    before = ",\n".join(f"{name} AS (\n    {_indent(cte)}\n)" for name, cte in ctes.items())
    return (f"WITH {before}\n" if ctes else "") + query


def _select(group: Iterable[Measure], relation: str, conventions: Conventions) -> str:
    prefix = "expected_" if conventions.expects else ""
    scores = (f"{m.write_aggregate('j', prefix)} AS {quote_name(m.name)}" for m in group)
    columns = _list_columns(["j.run_id", "j.query_id", *scores])
    query = f"{columns}\nFROM {relation} AS j\nGROUP BY j.run_id, j.query_id"
    return query + ("\nHAVING max(j.answered) = 1" if "answered" in conventions.queries else "")


def _relate(
    measure: Measure, conventions: Conventions, qrels: str, run: str, names: dict[str, str]
) -> str:
    """The call of a measure's relation; that of a relation under it gets a name in ``names``."""
    relation = measure.metric.relation
    inputs, arguments = [], measure.relation_arguments
    for needed in catalogue.find("relations", relation).statements[0].inputs:
        table = {"qrels": qrels, "run": run}.get(needed)
        if table is None:
            table = f"_{needed}"
            names[measures.write_call(needed, [qrels, run], conventions.arguments)] = table
        inputs.append(table)
    if inputs == [qrels, run]:
        arguments = (*arguments, *conventions.arguments)
    return measures.write_call(relation, inputs, arguments)


def _list_columns(columns: Iterable[str]) -> str:
    return "SELECT\n    " + ",\n    ".join(columns)


def _indent(query: str) -> str:
    return query.replace("\n", "\n    ")


def _average(per_query: pl.DataFrame, wanted: Iterable[Measure]) -> pl.DataFrame:
    columns = (
        pl.col(m.name).sum() if m.metric.is_summed else pl.col(m.name).mean() for m in wanted
    )
    return per_query.group_by("run_id", maintain_order=True).agg(*columns)


def sql(
    metrics: str | Iterable[str] | None = None,
    *,
    preset: str | None = None,
    ties: Ties | None = None,
    score_type: ScoreType | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    queries: str | Iterable[str] | None = None,
) -> str:
    """The SQL of some measures, to paste into a DuckDB shell: macros, then a SELECT that uses them.

    The SELECT reads tables ``qrels`` and ``run``. Without measures: all macros and no SELECT, for
    ``duckdb -init``. The options are those of `evaluate`. Raises `MeasureError` for a metric or
    parameter that does not exist, `InputError` for a convention.

    >>> "ndcg(j, k := 10)" in sql("nDCG@10")
    True
    """
    conventions = choose(
        preset, ties=ties, score_type=score_type, depth=depth, judged_only=judged_only, rel=rel,
        queries=queries,
    )  # fmt: skip
    if metrics is None:
        return catalogue.write_macros(catalogue.needed_files())
    wanted = _parse(metrics, conventions)
    files = catalogue.needed_files(
        (measure.metric for measure in wanted), expected=conventions.expects
    )
    macros = catalogue.write_macros(file for file in files if file.folder != "checks")
    definitions, run = {}, "run"
    if conventions.score_type == "float32":
        run = "_run"
        definitions[run] = "SELECT * REPLACE (CAST(score AS FLOAT) AS score) FROM run"
    return f"{macros}\n{build(wanted, conventions, definitions, ('qrels', run))};\n"
