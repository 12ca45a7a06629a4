"""Scores: judgments and runs in, per-query and mean scores out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl

from . import catalogue
from .catalogue import parsing
from .catalogue.conventions import ConventionChanges, Conventions, choose
from .catalogue.measures import Measure, require_kind, require_no_aggregate
from .catalogue.summaries import takes_weight
from .custom_metrics import knowing_macros
from .engine.coverage import make_unknown, note_uneven
from .engine.intervals import add_intervals
from .engine.session import Part, Request, Session, join_scores, order_runs
from .errors import InputError, MetricError, is_number, refuse, require_number, require_truth
from .inputs.columns import KINDS, Columns
from .inputs.data import Data, RunNames, Runs, name_file
from .inputs.shapes import arrange
from .inputs.tables import holds_scores, read_segments
from .macros.statements import list_item_columns
from .open_engine import find_engine, open_engine, open_session
from .progress import warn
from .result import Result, Table, find_best

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from typing_extensions import Unpack

    from .catalogue.conventions import ConventionOptions
    from .comparing.comparison import Comparison
    from .engine.judgments import Qrels
    from .report import Report

# What is scored when no metric is named.
DEFAULT_METRICS = "nDCG@10 AP RR P@10 R@100"

# Percentiles are 'p1' to 'p99'.
Aggregate: TypeAlias = (
    Literal["mean", "geometric", "harmonic", "median", "std", "min", "max", "sum", "pooled"] | str
)


@dataclass(frozen=True, repr=False)
class Scores(Result):
    """The result of `evaluate`.

    - ``per_query``: a row for every judged query of every run, with the columns ``run_id`` and
      ``query_id`` (text), those of ``by`` (of their own types) and ``weight`` (float), and one for
      each metric (float; text for Relstring); runs are in the order given, queries sorted; empty
      with ``into``, and for a log. For metrics of recommendations, there is a row for each user
      with a list; those of whole runs, such as Gini, have no column.
    - ``mean``: a row per run, or per run and segment, with ``run_id``, the columns of ``by``, and
      the mean of each metric over the queries that count, or its ``aggregate`` (null for
      Relstring); counts such as NumRet are summed. With ``intervals``, each metric is followed by
      the ends of its interval.
    - ``sql``: the statement, or one for metrics of judged queries and one for those of
      recommendations. It runs wherever the macros are installed, over the same files and tables,
      but not over frames, pipes or URLs; that of an engine needs no macros.
    - ``metrics``: the metrics, as read.
    - ``notes``: remarks about the inputs, one line each, such as queries that were left out.
    - ``segments``, ``weight``: the columns of ``by``, and that of ``weight``.
    - ``conventions``: how it was ranked, and which documents and queries count.
    - ``judged``: a row per run, with ``run_id``, ``k`` and ``judged``, the mean share of its first
      ``k`` documents that are judged; empty on Spark and with ``judged_only``.
    - ``in_order``: whether runs were given one by one, so that the first may be the baseline.

    ``scores["nDCG@10"]`` is the mean of the only run, ``scores["nDCG@10", "bm25"]`` that of one of
    several; ``"nDCG@10" in scores`` says whether there is one, and ``list(scores)`` has the names
    of the metrics. Printed, it is a table of the mean scores; `write` gives it as HTML, too.
    """

    per_query: pl.DataFrame
    mean: pl.DataFrame
    sql: str
    metrics: tuple[Measure, ...]
    segments: tuple[str, ...] = ()
    weight: str | None = None
    conventions: Conventions = Conventions()  # noqa: RUF009
    judged: pl.DataFrame = field(default_factory=make_unknown)
    in_order: bool = False

    def __getitem__(self, name: str | tuple[str, str]) -> float:
        """The mean score of a metric, or of a metric and a run.

        Raises KeyError for a metric or run that was not scored, or if there are several rows.
        """
        metric, run_id = (name, None) if isinstance(name, str) else name
        if metric not in self:
            raise KeyError(f"{metric!r} was not scored; there are {', '.join(self)}")
        rows = self.mean
        if run_id is not None:
            rows = rows.filter(run_id=str(run_id)) if self._runs else rows.clear()
        if rows.height != 1:
            what = f"{rows.height} rows match" if rows.height else f"no run {run_id!r}"
            named = f"name one of {', '.join(self._runs)}: scores{[metric, *self._runs[:1]]}"
            how = named if self._runs else "they are rows of mean"
            raise KeyError(f"{what}; {how}")
        return rows[metric].item()  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        """Whether a metric was scored, or a metric of a run."""
        metric, run_id = name if isinstance(name, tuple) and len(name) == 2 else (name, None)
        return metric in [*self] and (run_id is None or str(run_id) in self._runs)

    @property
    def _runs(self) -> list[str]:
        """The names of the runs; none of a log."""
        return [*self.mean["run_id"].unique(maintain_order=True)] if "run_id" in self.mean else []

    def __iter__(self) -> Iterator[str]:
        """The names of the metrics."""
        return (measure.name for measure in self.metrics)

    def __len__(self) -> int:
        """The number of metrics."""
        return len(self.metrics)

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The mean scores; the best are those of metrics, not of counts."""
        scored = [m for m in self.metrics if m.summary not in ("none", "std", "sum")]
        names = [measure.name for measure in scored]
        lower = [measure.name for measure in scored if measure.metric.is_loss]
        within = (*self.segments, *{"query_id"}.intersection(self.mean.columns))
        best = find_best(self.mean, names, digits, within=within, lower=lower)
        counts = self.mean.select(m.name for m in self.metrics if m.summary == "sum")
        whole = [each.cast(pl.Int64) for each in counts if (each.drop_nulls() % 1 == 0).all()]
        yield Table(self.mean.with_columns(whole), right=counts.columns, scores=names, best=best)

    def compare(self, baseline: str | None = None, **options: Any) -> Comparison:  # noqa: ANN401
        """Whether runs differ from ``baseline``, or from each other; options as of `compare`."""
        import sqlmetrics  # which knows what takes scores

        return sqlmetrics.compare(self, baseline, **options)

    def report(self, baseline: str | None = None, *, title: str | None = None) -> Report:
        """`report` of these scores."""
        import sqlmetrics

        return sqlmetrics.report(self, baseline, title=title)


def evaluate(
    qrels: Qrels | None = None,
    run: Runs | None = None,
    metrics: str | Iterable[str] | None = None,
    conventions: Conventions | None = None,
    *,
    log: Data | None = None,
    history: Data | None = None,
    items: Data | None = None,
    baseline: Data | None = None,
    aggregate: Aggregate | None = None,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: Data | None = None,
    intervals: bool = False,
    alpha: float = 0.05,
    con: DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    engine: Any = None,  # noqa: ANN401
    into: str | None = None,
    **options: Unpack[ConventionOptions],
) -> Scores:
    """Score one or more runs against judgments; returns `Scores`.

    Documents are ranked by score; unjudged ones are not relevant; every judged query counts, and
    scores 0 when a run has no results for it. `Conventions` change this.

    What to score:

    - ``qrels``: judgments with the columns query_id, doc_id, relevance; also subtopic (intent,
      aspect) for metrics over subtopics. A path or URL (CSV, TSV, JSON lines, Parquet, TREC text,
      also as .gz or .zst), an open file, a frame of polars, pandas or Arrow, a DuckDB relation, a
      dict of dicts as in pytrec_eval, named tuples as in ir_measures and ir_datasets, or with
      ``con`` the name of a table. A folder or a pattern is one table in many files. `Judgments` of
      any of these are read once for many calls. None where no metric needs judgments.
    - ``run``: query_id, doc_id, score (or rank) and, if it holds several runs, run_id. Several runs
      are a list, a folder, a pattern such as ``"runs/*.txt"``, or a dict by name. A file may hold
      responses of search engines, those of clients are ``{query_id: response}``. Without a run,
      ``qrels`` has rows with query_id, relevance and score, or grades, ``{query_id: [2, 0, 1]}``.
    - ``metrics``: such as ``"nDCG@10 AP RBP(p=0.8)"``; by default nDCG@10 AP RR P@10 R@100. With
      tables of recommendations, they are the metrics that these tables are for. `metrics` lists
      all, and `add` adds your own. With ``con``, its macros over rows ``j`` are metrics, too.
      Columns are named as you write the metrics.
    - ``columns``: which column is which, where their names do not say so: ``{"doc_id": "sku"}``, by
      number without a header: ``{"query_id": 1, "doc_id": 2, "score": 3}``. ``notes`` lists names
      that are recognised, such as qid and docno.
    - ``run_names``: a run is named after its ``"file"`` or table, or after the ``"tag"`` in the
      last column of TREC text.

    For metrics of neighbours, such as ``"ANNRecall@10 IDRecall(within=100)@10 DistanceRatio@10"``,
    ``qrels`` and ``run`` have a row for each exact neighbour of a query, and for each that an index
    returned: query_id, doc_id and distance, by the exact vectors. The smallest distance is the
    nearest. A column rank has the order of the index, where it is not that of the distances.

    For metrics of recommendations, such as ``"ItemCoverage@10 Novelty@10"``, where a query_id is a
    user and a doc_id an item, and every recommended item counts, judged or not:

    - ``history``: what users had before: a row for each user and item, with query_id and doc_id.
    - ``items``: the items that could be recommended, by default those of the history, with doc_id
      and, for the metrics that need them, category, group_id or features (a vector).
    - ``baseline``: one run to compare lists with, such as that of the most popular items.

    A score is null where it has no meaning. Of the conventions, these metrics take ``rel`` alone.

    For metrics of clicks, such as ``"CTR@1 ClickRR TimeToClick@95"``, without others:

    - ``log``: a click log, in place of qrels and run. It has a row for each document that was
      shown, with page_id (one view of results for a query), query_id, doc_id, position (1, 2, …)
      and clicked (1 or 0); and where there are any, time_to_click and dwell_time in seconds and
      response_time of the page. A page without results is a row without doc_id and position.

    ``by`` are columns of the log, and ``mean`` has a row for each of their values, or one. The
    default: Pages CTR CTR@1 ClickRR Abandonment ZeroResults. ``intervals`` are over users, by the
    column user_id of the log, or else over pages.

    How to score:

    - ``conventions``: a `Conventions` value, or its words as keywords: ``preset``, ``ties``,
      ``score_type``, ``depth``, ``judged_only``, ``rel``, ``queries``, ``no_relevant``,
      ``exclude``.
    - ``aggregate``: how the scores of queries become the score of a run, for all metrics:
      ``"mean"``, ``"geometric"``, ``"harmonic"``, ``"median"``, ``"std"``, ``"min"``, ``"max"``,
      ``"sum"``, a percentile such as ``"p25"``, or ``"pooled"``, the metric over all rankings taken
      together. ``AP(aggregate='median')`` is for one metric.
    - ``by``: a row of mean scores for each run and value of these columns of ``topics``.
    - ``weight``: the column of ``topics`` that says how much each query counts in a mean.
    - ``topics``: a table of queries, with query_id and these columns; without it they are columns
      of the judgments, of exact neighbours or, where all metrics are of recommendations, of the
      history of users.
    - ``intervals``: add the confidence interval of each mean, in columns such as AP_low and
      AP_high, as the analysis `means` computes it. They are null for one query and for what is not
      a mean over queries, such as a median.
    - ``alpha``: how often an interval may miss the true mean.

    Where to score:

    - ``con``: your DuckDB connection; its tables are inputs.
    - ``engine``: compute on Spark: a session, or the address of one (``"spark://host:7077"``,
      ``"sc://host"``, ``"local[*]"``); inputs are names of its tables and views, Parquet files that
      it can read, or its frames, and only scores come back.
    - ``into``: with an engine, a new table for the scores of queries, which stay there. Then
      ``per_query`` is empty.

    Inputs are read more than once, so a view must give the same rows each time. A process that is
    forked after a call hangs, since the threads of polars are not forked: start processes with
    ``multiprocessing.get_context("spawn")``.

    Raises `InputError` for data that cannot be read or would give a wrong number, `MetricError`
    for a metric or parameter that does not exist; both are `SqlMetricsError` and ValueError.

    >>> qrels = {"q1": {"a": 1}}
    >>> run = {"q1": {"a": 1.0, "b": 2.0}}
    >>> evaluate(qrels, run, "RR P@1 R@2").mean.rows()
    [('run', 0.5, 0.0, 1.0)]
    >>> evaluate(qrels, {"q1": {"a": 1.0, "b": 1.0}}, "RR", ties="expected")["RR"]
    0.75
    >>> exact = {"q": {"a": 0.1, "b": 0.2, "c": 0.3}}
    >>> index = {"q": {"a": 0.1, "c": 0.3}}
    >>> evaluate(exact, index, "ANNRecall@2 IDRecall(within=3)@3").mean.rows()
    [('run', 0.5, 0.6666666666666666)]
    """
    require_truth(intervals=intervals)
    require_number("alpha", alpha, 0, 1)
    if intervals and into is not None:
        raise InputError("intervals needs the scores of queries here; remove it or into")
    agreed = choose(conventions, options)
    if qrels is None and run is None and log is None:
        raise InputError("evaluate needs qrels= (QRELS) and run= (RUN), or log= (--log)")
    tables: dict[str, Any] = {"history": history, "items": items, "qrels": qrels, "log": log}
    rows = qrels if run is None and log is None else run  # each of qrels may be a document
    tables |= {"baseline": baseline, "run": rows, "topics": topics}
    given = {name: data for name, data in tables.items() if data is not None}
    engine = find_engine(engine, given.values())
    wanted = _choose_metrics(given) if metrics is None else metrics
    request = make_request(
        wanted, agreed, aggregate, by=by, weight=weight, topics=topics, con=con, kinds=_KINDS
    )
    kinds = {kind: own for kind in _KINDS if (own := request.take(kind))}
    for kind, own in kinds.items():
        _require_fit(kind, own, request, given, into)
    if intervals and log is not None and engine is not None:
        raise InputError("intervals works only with DuckDB; remove it or engine")
    parts: list[Part] = []
    session = None
    with open_engine(engine, con=con, columns=columns, run_names=run_names) as place:
        for kind, own in kinds.items():
            if kind == "clicks":
                from .clicks import score_log

                parts.append(score_log(own, given["log"], alpha if intervals else None, place))
            elif kind == "recommendations":
                from .recommending import score_lists

                parts.append(score_lists(own, given, topics, session, place))
            else:
                with open_session(place, own, into) as session:
                    session.read(*arrange(place, given["qrels"], run), topics)
                    parts.append(_score(session, own))
    part = parts[0] if len(parts) == 1 else _join(parts, request)
    notes = [f"no metrics given; these are {wanted}"] if metrics is None else []
    unread = [each for each in ("history", "items") if each in given]
    if unread and kinds.keys() == {"runs"}:
        how = "; exclude= (--exclude) leaves out what users had" * ("history" in unread)
        notes.append(f"none of these metrics reads {' or '.join(unread)}{how}")
    mean = part.mean
    if intervals and log is None:
        mean, described = add_intervals(mean, part.per_query, request, alpha)
        part.notes.extend(described)
    return Scores(
        part.per_query,
        mean,
        part.statement,
        request.metrics,
        request.segments,
        request.weight,
        request.conventions,
        part.judged,
        isinstance(run, list | tuple | dict) and len(run) == mean["run_id"].n_unique() > 1,
        notes=(*notes, *part.notes),
    )


def taking_runs(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of scores, which takes what `evaluate` takes in their place."""

    @wraps(function)
    def call(*given: Any, **options: Any) -> Any:  # noqa: ANN401
        if _are_scores(given, options):
            return function(*given, **options)
        has = {*signature(function).parameters}
        own = {name: options.pop(name) for name in (has - _OF_INPUTS) & options.keys()}
        own |= {name: options[name] for name in has & {"by"} & options.keys()}
        limits = [name for each in own.values() if isinstance(each, Mapping) for name in each]
        if limits and len(given) < 3:  # those of a gate say which metrics
            options.setdefault("metrics", [*dict.fromkeys(limits)])
        if "given" in has:
            own["given"] = dict(zip(signature(evaluate).parameters, given, strict=False)) | options
        scores = evaluate(*given, **options)
        found = function(scores, **own)
        if isinstance(found, Result):
            found = replace(found, notes=(*dict.fromkeys([*scores.notes, *found.notes]),))
        return found

    return call


def _are_scores(given: Sequence[Any], options: Mapping[str, Any]) -> bool:
    """Whether arguments begin with scores of queries, and not with judgments and runs."""
    first, run = (*given, options.get("run"), None)[:2]
    if "qrels" in options or len(given) > 2:
        return False
    if run is None or is_number(run) or Scores in map(type, (first, run)):
        return True
    for each in (first, run):
        if isinstance(each, str | Path) and Path(each).is_file():
            return holds_scores(str(each), options.get("columns"))
    return isinstance(run, str) and name_file(run) == Path(run).name and "*" not in run


# Options that `evaluate` takes then; others that both have, such as alpha, are the function's.
_OF_INPUTS = {"run", "metrics", "by", "weight", "con", "columns", "engine"}


# What is by itself comes first; metrics of recommendations take what those of runs have read.
_KINDS = ("neighbours", "clicks", "runs", "recommendations")
# Why metrics of a kind are by themselves.
_ALONE = {
    "neighbours": "is by exact neighbours in place of judgments",
    "clicks": "is of a click log",
}
# Conventions that say how runs are ranked, and which of their queries count.
_OF_RUNS = [each for each in ConventionChanges.__annotations__ if each not in ("rel", "exclude")]


def _require_fit(
    kind: str, own: Request, request: Request, given: Mapping[str, Any], into: str | None
) -> None:
    """Raise an error for what metrics of a kind lack, and for what does not go with them."""
    name, lacks = own.metrics[0].name, [_find_lack(measure, given) for measure in own.metrics]
    others = [measure.name for measure in request.metrics if measure not in own.metrics]
    refuse({str(lacks[0]): kind == "clicks" and lacks[0]})
    if kind in _ALONE and others:
        raise MetricError(f"{name} {_ALONE[kind]}; score {others[0]} in a call of its own")
    if kind == "clicks":
        more = [each for each in given if each != "log"] + ["weight"] * bool(request.weight)
        refuse({f"{name} is of the log alone: score it without {' and '.join(more)}": more})
    elif "log" in given:
        raise MetricError(
            f"{request.metrics[0].name} is not a metric of logs: score log= (--log) with those "
            "that are, such as CTR, in a call of their own"
        )
    if kind != "runs":
        over = "the log as it is" if kind == "clicks" else "lists as they are"
        agreed, usual = request.conventions, Conventions()
        changed = [each for each in _OF_RUNS if getattr(agreed, each) != getattr(usual, each)]
        changed += ["exclude"] * (agreed.exclude is not None) + ["into"] * (into is not None)
        how = "; make such a run first: FROM without(run, seen)" * ("exclude" in changed)
        refuse({f"{name} is over {over}: score it without {' and '.join(changed)}{how}": changed})
    refuse({lack: True for lack in lacks if lack})


def _find_lack(measure: Measure, given: Collection[str]) -> str | None:
    """The message about a table that a metric needs and is not given, or None."""
    for table in measure.metric.tables:
        column = next(iter(list_item_columns([measure])), None) if table == "items" else None
        of_history = table == "items" and not column  # they may be those of the history
        given_as = "qrels" if table == "exact" else "history" if of_history else table
        if {table, given_as} & {*given} or table in ("run", "found"):
            continue
        what = KINDS[table].likeness if table in KINDS else "a run to compare with"
        how = "qrels= (QRELS)" if given_as == "qrels" else f"evaluate {table}= (--{table})"
        what += f", with the column {column}" if column else ""
        if of_history:
            how += ", or history= (--history) for those of the history"
        return f"{measure.name} needs {what}: give {how}"
    return None


def _choose_metrics(given: Collection[str]) -> str:
    """What is scored when no metric is named: that for which there are tables."""
    tables = {*given} - {"run", "topics"}
    if tables == {"log"}:
        from .clicks import DEFAULT_METRICS as OF_LOGS

        return OF_LOGS
    names = [DEFAULT_METRICS] if "qrels" in tables else []
    if not names or len(tables) > 1:
        from .recommending import DEFAULT_METRICS as OF_LISTS

        known = [m.name for m in parsing.parse(OF_LISTS) if not _find_lack(m, tables)]
        names += known or ["Personalization@10"]
    return " ".join(names)


def _score(session: Session, request: Request) -> Part:
    """The scores of a session that has read its inputs."""
    session.check()
    per_query = order_runs(session.score(), session.run_ids)
    mean = order_runs(session.summarize(per_query), session.run_ids)
    notes = [*session.notes, *note_uneven(session.judged), *note_same_names(request.metrics)]
    warn(notes)
    judged = order_runs(session.judged, session.run_ids)
    return Part(per_query, mean, session.statement, notes, judged)


def _join(parts: Sequence[Part], request: Request) -> Part:
    """The scores of all metrics side by side; a query that only some are of lacks the others."""
    runs = dict.fromkeys(run for part in parts for run in part.mean["run_id"])

    def join(frames: Iterable[pl.DataFrame], keys: Sequence[str]) -> pl.DataFrame:
        rows = join_scores(frames, keys)
        names = (m.name for m in request.metrics if m.name in rows.columns)
        return order_runs(rows.select(*keys, *names), runs)

    queries = dict.fromkeys(["run_id", "query_id", *request.topic_columns])
    return Part(
        join((part.per_query for part in parts), [*queries]),
        join((part.mean for part in parts), request.keys),
        ";\n\n".join(part.statement for part in parts if part.statement),
        [*dict.fromkeys(note for part in parts for note in part.notes)],
        parts[0].judged,
    )


def make_request(
    metrics: str | Iterable[str],
    conventions: Conventions,
    aggregate: str | None = None,
    *,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: object = None,
    con: DuckDBPyConnection | None = None,
    kinds: Sequence[str] = ("runs",),
) -> Request:
    """What is asked, read; what does not go together is refused."""
    with knowing_macros(con, metrics):
        wanted = parsing.parse(metrics, conventions.parameters, aggregate)
    if conventions.expects:
        _require_expected(wanted, conventions)
    require_kind(wanted, *kinds)
    require_no_aggregate(wanted)
    names = [measure.name for measure in wanted]
    segments = read_segments("by", by, names)
    if weight is not None:
        (weight,) = read_segments("weight", [weight], names)
    if weight in segments:
        raise InputError(f"{weight} cannot be both the weight and a segment")
    if topics is not None and not segments and weight is None:
        raise InputError("topics= needs by= or weight=")
    # the sum of a count has no weights; one that is asked for would lack those it was given
    unfit = [m.name for m in wanted if not takes_weight(m.summary) or m.aggregate == "sum"]
    if weight is not None and unfit:
        raise MetricError(f"weight= needs a mean; {', '.join(unfit)} is not one")
    return Request(tuple(wanted), conventions, segments, weight)


def note_same_names(wanted: Iterable[Measure]) -> Iterator[str]:
    """Notes on metrics whose names mean another metric in other tools."""
    for measure in wanted:
        stem = re.split(r"[(@]", measure.name)[0]
        name, _, other = measure.metric.file.header.get("not", "").partition(", ")
        if stem == name:
            yield f"{measure.name} is {measure.metric.names[0]}, not {other}"
        k = str(dict(measure.arguments).get("k", "k"))
        meant = (
            f"{tool}'s {theirs} is {ours} here".replace("{k}", k)
            for tool, theirs, ours in catalogue.list_same_names().get(stem.lower(), ())
        )
        if said := ", ".join(meant):
            yield f"{measure.name}: {measure.metric.file.summary} {said}"


def _require_expected(wanted: Iterable[Measure], conventions: Conventions) -> None:
    """Raise `MetricError` for metrics without an expected score over the orders of ties."""
    if own := [m.name for m in wanted if "ties" in dict(m.arguments)]:
        raise MetricError(f"{own[0]} sets ties itself; remove them for expected scores")
    for measure in wanted:
        given = conventions.give(measure.arguments)
        if given.get("judged_only") and given.get("depth") is not None:
            raise MetricError(f"{measure.name}: expected scores use depth or judged_only, not both")
    known = catalogue.files()["expected"]
    if without := [m.name for m in wanted if f"expected_{m.metric.macro}" not in known]:
        runs = catalogue.all_metrics("runs")
        able = sorted(each.names[0] for each in runs if f"expected_{each.macro}" in known)
        raise MetricError(
            f"{', '.join(without)} has no expected score over the orders of tied documents; "
            f"there is one for {', '.join(able)}"
        )
