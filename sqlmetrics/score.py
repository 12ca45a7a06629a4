"""Scores: judgments and runs in, per-query and mean scores out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from . import catalogue
from .catalogue import measures
from .catalogue.conventions import Conventions, ScoreType, Ties, choose
from .catalogue.measures import Measure
from .catalogue.summaries import takes_weight
from .engines import Question, open_session
from .errors import InputError, MetricError
from .inputs.columns import Columns
from .inputs.reader import Data, RunNames
from .own import knowing_macros


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
    question = ask(
        metrics,
        choose(
            preset, ties=ties, score_type=score_type, depth=depth, judged_only=judged_only, rel=rel,
            queries=queries, no_relevant=no_relevant,
        ),
        aggregate,
        by=by,
        weight=weight,
        topics=topics,
        con=con,
    )  # fmt: skip
    with open_session(
        question,
        engine,
        con=con,
        columns=columns,
        run_names=run_names,
        strategy=strategy,
        into=into,
    ) as session:
        session.read(qrels, run, topics)
        session.check()
        per_query = session.score()
        mean = session.summarize(per_query)
        return Scores(per_query, mean, session.statement, question.metrics, tuple(session.notes))


def ask(
    metrics: str | Iterable[str],
    conventions: Conventions,
    aggregate: str | None = None,
    *,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: object = None,
    con: duckdb.DuckDBPyConnection | None = None,
) -> Question:
    """What is asked, read; what does not go together is refused."""
    with knowing_macros(con, metrics):
        wanted = measures.parse(metrics, conventions.parameters, aggregate)
    if conventions.expects:
        _require_expected(wanted, conventions)
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
    return Question(tuple(wanted), conventions, tuple(dict.fromkeys(segments)), weight)


def _require_expected(wanted: Iterable[Measure], conventions: Conventions) -> None:
    """Raise `MetricError` for metrics without an expected score over the orders of ties."""
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
        able = sorted(m.names[0] for m in catalogue.all_metrics() if f"expected_{m.macro}" in known)
        raise MetricError(
            f"{', '.join(without)} has no expected score over the orders of tied documents; "
            f"there is one for {', '.join(able)}"
        )
