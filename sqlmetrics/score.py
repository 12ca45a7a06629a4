"""Scores: judgments and runs in, one SELECT, per-query and mean scores out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import duckdb
import polars as pl

from . import catalogue
from .catalogue import measures, quote
from .catalogue.conventions import Conventions, ScoreType, Ties, choose
from .catalogue.measures import Measure
from .catalogue.summaries import summarize, takes_weight
from .engines.checks import (
    check_coverage,
    check_run_ids,
    describe_refusal,
    find_unmatched,
    refuse,
    require_finite,
    require_judged_once,
    require_order,
    require_ranks,
    require_rows,
)
from .engines.macros import (
    bare,
    call_installed,
    create_bare_macros,
    dropping_bare_macros,
    needed_files,
    take_any_gain,
    write_removal,
    write_script,
)
from .engines.statements import Segments, build, keep_relevant, list_ties
from .engines.strategies import (
    count_lists,
    describe_strategy,
    find_sizes,
    narrow,
    require_strategy,
    take_strategy,
)
from .errors import InputError, MetricError
from .inputs.columns import QRELS, SUBTOPIC_QRELS, Columns, Kind, quote_name
from .inputs.files import reading
from .inputs.frames import can_be_read_once
from .inputs.reader import Data, Input, Reader, RunNames
from .inputs.streams import Stream
from .inputs.topics import Topics, read_topics
from .inputs.workspace import open_workspace
from .own import knowing_macros
from .progress import begin


@dataclass(frozen=True)
class Scores:
    """What `evaluate` returns.

    ``per_query``: a row for every judged query of every run, with the columns ``run_id`` and
    ``query_id`` (text), those of ``by`` (text) and ``weight`` (float), and one for each metric
    (float; text for Relstring), sorted by run and query; empty with ``into``, where they are then.
    ``mean``: a row per run, or per run and segment, with ``run_id``, the columns of ``by``, and the
    mean of each metric over the queries that count, or what its ``aggregate`` says (null for
    Relstring); counts such as NumRet are summed. ``sql``: the statement, which runs wherever the
    macros are installed, over the same files and tables; what was a frame, a pipe or a URL is gone
    from it. That of an engine runs there without macros, over the same tables; what was a frame or
    a file is gone from it.
    ``metrics``: what was asked for, as read. ``notes``: what to know of the inputs, a line each:
    columns that go by other names, queries that were left out.
    """

    per_query: pl.DataFrame
    mean: pl.DataFrame
    sql: str
    metrics: tuple[Measure, ...]
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
    no_relevant: float | None = None,
    aggregate: str | None = None,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: Data | None = None,
    strategy: str | None = None,
    engine: Any = None,  # noqa: ANN401
    into: str | None = None,
) -> Scores:
    """Score one or more runs against judgments; returns `Scores`.

    ``qrels`` has the columns query_id, doc_id, relevance; ``run`` has query_id, doc_id, score (or
    a rank in its place) and, when it holds several runs, run_id. Other names are recognised where
    they are common (qid, docno, user, item, rel, sim, …), which ``notes`` of the result tell;
    ``columns`` says it for the rest: ``{"doc_id": "sku"}``, by number where there is no header:
    ``{"query_id": 1, "doc_id": 2, "score": 3}``. Metrics over the subtopics (intents, aspects) of a
    query look for a column subtopic in ``qrels``, which in TREC text is the second.

    Each is a path or URL (CSV, TSV, JSON lines, Parquet, TREC text, also as .gz or .zst), an open
    file, a frame of polars, pandas or Arrow, a DuckDB relation, a dict of dicts as of pytrec_eval,
    named tuples as of ir_measures and ir_datasets, or with ``con`` the name of a table on that
    connection. Several runs are a list, a folder, a pattern like ``"runs/*.txt"`` or a dict by
    name; else a run is called by its file or table, or with ``run_names="tag"`` by the last column
    of TREC text. For judgments, and within a dict, a folder or pattern is one table in many files.

    ``metrics`` are names like ``"nDCG@10 AP(rel=2)@100"``, in one string or several; `metrics()`
    lists them, and `add_metric` adds your own. With ``con`` its own macros over rows ``j`` are
    metrics, too: ``CREATE MACRO half(j) AS (ndcg(j) + rr(j)) / 2``. They are over the rows of
    judged, unless the macro's comment says which, as in ``rows from: cascade``.

    Documents are ranked by score; unjudged ones are not relevant; every judged query counts, and
    scores 0 when a run does not answer it. The options change this, and ``preset`` sets them as a
    tool has them (`presets()`); ``rel`` is that of every metric whose name does not give another.

    ``ties``: tied documents stand by document id ``"descending"`` (default, as in trec_eval) or
    ``"ascending"``, as in the ``"input"``, by its column ``"rank"``, relevant ones first
    (``"best"``) or last (``"worst"``); ``"expected"`` is the mean score over all their orders.
    ``score_type``: ``"float32"`` compares scores as trec_eval did up to version 9; close scores are
    tied then. ``depth``: only so many documents of each query. ``judged_only``: ranks pass over
    unjudged documents. ``queries``: all that are ``"judged"`` (default), only those also
    ``"answered"`` by the run, only those with something ``"relevant"``, or both:
    ``"answered, relevant"``. ``no_relevant``: what a query with nothing relevant scores, 0 if not
    given.

    A run's score is the mean of its queries' unless a metric says otherwise, as in
    ``AP(aggregate='median')``; ``aggregate`` says it for all: ``"mean"``, ``"geometric"``,
    ``"harmonic"``, ``"median"``, ``"std"``, ``"min"``, ``"max"``, ``"sum"``, a percentile such as
    ``"p25"``, or ``"pooled"``, the metric over the rankings of all queries taken together. ``by``
    gives a row per run and segment: one or more columns of ``topics``, a table with a query_id, or
    without it of the judgments. ``weight`` is a column of the same that says how much each query
    counts in a mean, such as its traffic.

    ``strategy`` is how documents are ranked, by ``"sorting"``, ``"counting"`` or ``"listing"``;
    scores are the same. If not given, the fastest that fits is taken, which `explain` tells.

    ``engine`` is a Spark session, classic or Connect, or the address of one (``"spark://host:7077"``,
    ``"sc://host"``, ``"local[*]"``), which computes everything: the inputs are names of its tables
    and views, Parquet files that it can read, or frames of its own, and only scores of queries
    come back. An address starts a session and ends it; where one is active, give that. With
    ``into`` the scores of queries stay there, as a new table of that name, and ``per_query`` is
    empty.

    A child process that is forked after a call hangs, as polars' threads are not forked: start
    processes by ``multiprocessing.get_context("spawn")``.

    Inputs are read more than once, so a view must give the same rows each time.

    Raises `InputError` for data that cannot be read or would give a wrong number, `MetricError`
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
        queries=queries, no_relevant=no_relevant,
    )  # fmt: skip
    require_strategy(strategy)
    with knowing_macros(con, metrics):
        wanted = _parse(metrics, conventions, aggregate)
    segments = _list_segments(by, weight, topics, wanted)
    if engine is not None:
        if con is not None or strategy is not None or run_names != "file":
            raise InputError(
                "con, strategy and run_names are for DuckDB: leave them out with an engine"
            )
        return _evaluate_on_spark(
            qrels, run, wanted, conventions, engine, columns, segments, weight, topics, into
        )
    if into is not None:
        raise InputError("into names a table of Spark: say where that is, by engine= or --engine")
    if topics is None and (segments or weight is not None) and can_be_read_once(qrels):
        raise InputError("these judgments can be read only once; give by and weight their topics")
    with_ranks = "rank" in list_ties(wanted, conventions)
    with open_reader(con, columns, run_names, with_ranks=with_ranks) as reader:
        is_by_subtopic = any(measure.metric.is_by_subtopic for measure in wanted)
        takes_subtopics = measures.take_subtopics(wanted)
        judgments = reader.read(qrels, SUBTOPIC_QRELS if takes_subtopics else QRELS)
        runs = reader.read_runs(run, conventions.score_type)
        about = None
        if segments or weight is not None:
            given = qrels if topics is None else topics
            about = read_topics(reader, given, segments, weight)
        if is_by_subtopic and "subtopic" not in judgments.columns:
            reader.notes.append(f"{judgments.name} has no subtopics; each query counts as one")
        with reading(" or ".join(each.name for each in (judgments, *runs.values()))):
            per_query, mean, notes = _score(
                reader, wanted, conventions, judgments, runs, about, strategy
            )
    union = "\nUNION ALL BY NAME\n".join(each.query for each in runs.values())
    inputs = {"_qrels": judgments.query, "_run": union}
    statement = build(wanted, conventions, inputs, shares_ranks=False)
    return Scores(
        per_query, mean, call_installed(statement), tuple(wanted), (*reader.notes, *notes)
    )


def _evaluate_on_spark(
    qrels: Data,
    run: Data,
    wanted: list[Measure],
    conventions: Conventions,
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
    segments: tuple[str, ...],
    weight: str | None,
    topics: Data | None,
    into: str | None,
) -> Scores:
    from .engines import spark  # pyspark is an extra

    pooled = [measure for measure in wanted if measure.summary == "pooled"]
    about = [*segments, *([weight] if weight else [])]
    if about and (into is not None or pooled):
        raise InputError("on Spark, by and weight go neither with into nor with pooled metrics")
    with spark.open_session(engine) as session, ExitStack() as undo:
        if into is not None:
            spark.require_into(session, into, wanted)
        reader = spark.SparkReader(session, undo, columns)
        judgments = reader.read(qrels, spark.read_kind(wanted))
        runs = reader.read_runs(run)
        notes = spark.check_tables(reader, wanted, conventions, judgments, runs)
        known = None
        if about:
            kind = Kind("topics", "a table of queries", ("query_id", *about))
            rows = reader.read_frame(qrels if topics is None else topics, kind)
            with open_reader(None, None, "file", with_ranks=False) as own:
                known = read_topics(own, rows, segments, weight)
        per_query, statement = spark.score(reader, wanted, conventions, judgments, runs, into)
        if into is not None:
            mean = spark.summarize_table(reader, into, wanted)
        else:
            if known:
                per_query = known.join(per_query)
                notes += known.describe_missing(per_query)
            mean = _summarize(per_query, wanted, ["run_id", *segments], weight)
        if pooled:
            figures = spark.pool(reader, pooled, conventions, judgments, runs)
            require_finite(figures, pooled, "run_id", judgments.name)
            mean = mean.join(figures, on="run_id", how="left")
        keys = ["run_id", *segments]
        mean = mean.sort(keys).select(*keys, *(measure.name for measure in wanted))
    return Scores(per_query, mean, statement, tuple(wanted), (*reader.notes, *notes))


def explain(
    qrels: Data,
    run: Data,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    depth: int | None = None,
    strategy: str | None = None,
) -> str:
    """How `evaluate` would rank documents, how many, and the memory that this takes: some lines.

    The arguments are those of `evaluate`. Nothing is scored, but text is read whole to be counted.
    Raises `InputError` for data that cannot be read or has no room, and for a strategy that
    does not exist.

    >>> print(explain({"q1": {"a": 1}}, {"q1": {"a": 1.0}}).splitlines()[1])
    retrieved  1 document in 1 run
    """
    choose(depth=depth)
    require_strategy(strategy)
    with open_reader(con, columns, run_names, with_ranks=False) as reader:
        judgments = reader.read(qrels, QRELS)
        runs = reader.read_runs(run)
        with reading(" or ".join(each.name for each in (judgments, *runs.values()))):
            for each in (judgments, *runs.values()):
                require_rows(reader.con, each)
            check_run_ids(reader.con, runs.values())
            lists = count_lists(reader, reader.unite(runs.values()))
            sizes = find_sizes(reader.con, judgments, lists, depth)
            return describe_strategy(reader.con, take_strategy(reader.con, sizes, strategy), sizes)


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
        if con:
            own = con
            undo.enter_context(dropping_bare_macros(con))
        else:
            folder = undo.enter_context(open_workspace())
            own = undo.enter_context(duckdb.connect())
            own.execute(f"SET temp_directory = {quote(str(folder))}")
            # DuckDB would print a bar to stdout in a notebook, or where it takes us for one
            own.execute("SET enable_progress_bar = false")
        yield Reader(
            own,
            undo,
            has_tables=bool(con),
            columns=columns,
            by_tag=run_names == "tag",
            with_ranks=with_ranks,
        )


def _parse(
    metrics: str | Iterable[str], conventions: Conventions, aggregate: str | None = None
) -> list[Measure]:
    wanted = measures.parse(metrics, conventions.parameters, aggregate)
    if conventions.expects:
        if own := [m.name for m in wanted if "ties" in dict(m.arguments)]:
            raise MetricError(f"{own[0]} has ties of its own; leave them out for expected scores")
        for measure in wanted:
            told = conventions.give(measure.arguments)
            if told.get("judged_only") and told.get("depth") is not None:
                raise MetricError(
                    f"{measure.name}: expected scores take a depth or judged_only, not both"
                )
        known = catalogue.files()["expected"]
        if without := [m.name for m in wanted if f"expected_{m.metric.macro}" not in known]:
            able = sorted(
                m.names[0] for m in catalogue.all_metrics() if f"expected_{m.macro}" in known
            )
            raise MetricError(
                f"{', '.join(without)} has no expected score over the orders of tied documents; "
                f"there is one for {', '.join(able)}"
            )
    return wanted


def _list_segments(
    by: str | Iterable[str], weight: str | None, topics: object, wanted: Sequence[Measure]
) -> tuple[str, ...]:
    """The columns of ``by``; what does not go together with them is refused."""
    segments = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Iterable) else (by,)
    names = [measure.name for measure in wanted]
    for column in (*segments, *([] if weight is None else [weight])):
        if not isinstance(column, str) or not column:
            raise InputError(f"{column!r} is not the name of a column")
        if column in names:
            raise InputError(f"{column} is a metric and a column; give the column another name")
    if weight in segments:
        raise InputError(f"{weight} cannot be both the weight and a segment")
    if topics is not None and not segments and weight is None:
        raise InputError("topics= needs by= or weight=")
    if weight is not None and (unfit := [m.name for m in wanted if not takes_weight(m.summary)]):
        raise MetricError(f"weight= is for means, which {', '.join(unfit)} is not")
    return tuple(dict.fromkeys(segments))


def _find_depth(wanted: Iterable[Measure], conventions: Conventions) -> int | None:
    """The deepest that is asked for, where all metrics have a depth."""
    depths = [conventions.give(measure.arguments).get("depth") for measure in wanted]
    numbers = [depth for depth in depths if isinstance(depth, int)]
    return max(numbers) if len(numbers) == len(depths) else None


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
    topics: Topics | None,
    strategy: str | None,
) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    con = reader.con
    check_run_ids(con, runs.values())
    if "rank" in list_ties(wanted, conventions):
        require_ranks(con, runs.values())
    if "input" in list_ties(wanted, conventions):
        require_order(con)
    run = reader.unite(runs.values())
    lists = count_lists(reader, run)
    sizes = find_sizes(con, judgments, lists, _find_depth(wanted, conventions))
    if "input" in list_ties(wanted, conventions):  # which needs every row where it stands
        sizes = replace(sizes, matched=sizes.retrieved, depth=None)
    strategy = take_strategy(con, sizes, strategy)
    files = needed_files(
        (measure.metric for measure in wanted), strategy=strategy, expected=conventions.expects
    )
    create_bare_macros(con, files)
    begin("looking for repeated documents", sizes.retrieved)
    refuse(con, judgments, runs.values())
    require_judged_once(con, judgments, [m.name for m in wanted if m.metric.needs_one_judgment])
    begin("comparing queries", sizes.retrieved)
    notes = check_coverage(con, judgments, runs, lists, conventions)
    qrels, everything = judgments.table, run
    run = narrow(reader, qrels, run, sizes)
    if "relevant" in conventions.queries:
        qrels = reader.keep(keep_relevant(qrels, conventions.rel))
    begin("scoring", sizes.ranked)
    per_query = _ask(reader, wanted, conventions, judgments, (qrels, run))
    notes += find_unmatched(con, judgments, everything, per_query, conventions)
    keys, weight = ["run_id"], None
    if topics:
        per_query = topics.join(per_query)
        notes += topics.describe_missing(per_query)
        keys, weight = [*keys, *topics.segments], topics.weight
    mean = _summarize(per_query, wanted, keys, weight)
    if pooled := [measure for measure in wanted if measure.summary == "pooled"]:
        segments = Segments(topics.table, topics.segments) if topics else Segments()
        figures = _ask(reader, pooled, conventions, judgments, (qrels, run), segments)
        mean = mean.join(figures, on=keys, how="left", nulls_equal=True)
    mean = mean.sort(keys).select(*keys, *(measure.name for measure in wanted))
    return per_query, mean, notes


def _ask(
    reader: Reader,
    wanted: Sequence[Measure],
    conventions: Conventions,
    judgments: Input,
    tables: tuple[str, str],
    segments: Segments | None = None,
) -> pl.DataFrame:
    """The scores, of each query or of segments, sorted."""
    query = bare(build(wanted, conventions, tables=tables, segments=segments))
    try:
        try:
            scores = reader.keep(query, as_table=True)
        except (duckdb.ConversionException, duckdb.OutOfRangeException):
            take_any_gain(reader.con)
            scores = reader.keep(query, as_table=True)
    except duckdb.InvalidInputException as error:  # from error() in a macro
        raise InputError(describe_refusal(reader.con, judgments, str(error))) from None
    except duckdb.BinderException as error:  # in a macro of the user's
        raise MetricError(str(error).partition("\n")[0]) from None
    keys = ["run_id", *(segments.columns if segments else ["query_id"])]
    order = ", ".join(f"{quote_name(key)} COLLATE C ASC" for key in keys)
    found = pl.DataFrame(Stream(reader.con.sql(f"FROM {scores} ORDER BY {order}")))
    require_finite(found, wanted, keys[-1], judgments.name)
    return found


def _summarize(
    per_query: pl.DataFrame, wanted: Iterable[Measure], keys: list[str], weight: str | None
) -> pl.DataFrame:
    """A row per run, or per run and segment."""
    weights = pl.col(weight) if weight else None
    figures = (
        summarize(pl.col(m.name), m.summary, weights).alias(m.name)
        for m in wanted
        if m.summary != "pooled"
    )
    return per_query.group_by(keys, maintain_order=True).agg(*figures)


def sql(
    metrics: str | Iterable[str] | None = None,
    *,
    dialect: str | None = None,
    qrels: str | PathLike[str] = "qrels",
    run: str | PathLike[str] = "run",
    columns: Mapping[str, str] | None = None,
    preset: str | None = None,
    ties: Ties | None = None,
    score_type: ScoreType | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    queries: str | Iterable[str] | None = None,
    no_relevant: float | None = None,
    aggregate: str | None = None,
    mean: bool = False,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: str | None = None,
    schema: str | None = None,
    remove: bool = False,
) -> str:
    """The SQL of some metrics, to paste: macros and a SELECT that uses them, or one plain SELECT.

    With a ``dialect``, the name of an engine such as ``"postgres"`` or ``"bigquery"`` (``sqlmetrics
    sql --help`` lists them), it is a SELECT that needs no macro; without one, macros for a DuckDB
    shell come before it, and without metrics it is all macros, for ``duckdb -init``.

    ``schema`` is where the macros go, so that they are called as ``lab.ndcg(j)``; ``remove`` gives
    the script that takes all macros away again.

    ``qrels`` and ``run`` are the names of tables as the engine writes them, and ``columns`` says
    which of their columns is which: ``{"doc_id": "sku", "run_id": "system"}``. A plain SELECT knows
    no runs unless it is told of a run_id, and no subtopics unless it is told of a subtopic.

    The SELECT has a row for each query (and run), sorted. ``mean`` gives a row for each run, and
    ``by`` one for each run and segment, with the summaries of `evaluate`; ``topics`` is the table
    of queries that has the columns ``by`` and ``weight``. These are for plain SELECTs, as is
    ``aggregate``, without medians and percentiles. The other options are those of `evaluate`. A
    plain SELECT ends without a semicolon, as drivers take it.

    Raises `MetricError` for a metric or parameter that does not exist, or that the engine cannot
    compute, `InputError` for a convention, dialect or name, and options without metrics.

    >>> "ndcg(j, k := 10)" in sql("nDCG@10")
    True
    >>> "FROM lab.run" in sql("NumRet", dialect="postgres", run="lab.run")
    True
    """
    conventions = choose(
        preset, ties=ties, score_type=score_type, depth=depth, judged_only=judged_only, rel=rel,
        queries=queries, no_relevant=no_relevant,
    )  # fmt: skip
    has_options = conventions != choose() or (qrels, run) != ("qrels", "run")
    has_options |= any((dialect, columns, aggregate, mean, by, weight, topics))
    for name in (qrels, run):
        if not isinstance(name, str | PathLike):
            raise InputError(f"a table goes by its name, not {name!r:.80}")
    qrels, run = str(qrels), str(run)
    if metrics is None:
        if has_options:
            raise MetricError("no metric is named; name one or more, like 'nDCG@10 AP'")
        return write_removal(schema) if remove else write_script(needed_files(), schema)
    if remove:
        raise InputError("remove takes all macros away; leave out the metrics")
    wanted = _parse(metrics, conventions, aggregate)
    segments = _list_segments(by, weight, topics, wanted)
    if dialect is not None and schema is not None:
        raise InputError("a plain SELECT has no macros; leave out schema or dialect")
    if dialect is not None:
        from .engines.dialects import (  # sqlglot takes as long to import as all of ours
            Summary,
            write_plain,
        )

        summary = Summary(segments, weight, topics) if mean or segments or weight else None
        return write_plain(wanted, conventions, dialect, (qrels, run), columns, summary)
    if mean or segments or weight or aggregate or columns:
        raise InputError("columns, mean, by, weight and over are for plain SQL; give a dialect")
    qrels, run = (
        name if re.fullmatch(r"\w+(\.\w+)*", name) else quote_name(name) for name in (qrels, run)
    )
    files = needed_files((measure.metric for measure in wanted), expected=conventions.expects)
    macros = write_script(files, schema)
    definitions, table = {}, run
    if conventions.score_type == "float32":
        table = "_run"
        definitions[table] = f"SELECT * REPLACE (CAST(score AS FLOAT) AS score) FROM {run}"
    statement = build(wanted, conventions, definitions, (qrels, table), shares_ranks=False)
    return f"{macros}\n{call_installed(statement, schema)};\n"
