"""Tuning: which fusion is best on some queries, and whether it is better on the others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import quote
from ..catalogue.measures import require_kind, take_subtopics
from ..catalogue.parsing import parse
from ..comparing.compare import compare
from ..comparing.comparison import Comparison
from ..engine.connections import DuckDB, open_reader
from ..engine.draws import require_seed
from ..engine.judgments import Judgments, Qrels
from ..errors import InputError, is_many, read_names, require_number, require_whole
from ..inputs.columns import QRELS, SUBTOPIC_QRELS, Columns
from ..inputs.data import RunNames, Runs
from ..inputs.grades import graded, read_grades
from ..inputs.source import reading
from ..progress import Doubt, begin, remark, setting
from ..result import Result, Table, count
from ..score import evaluate
from .fuse import fuse_all, read_several
from .methods import (
    Setting,
    learns,
    list_methods,
    list_normalizations,
    list_parameters,
    read_setting,
    uses_scores,
)

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, repr=False)
class Tuning(Result):
    """The result of `tune`.

    - ``best``: the options for `fuse` with the highest mean on the queries tuned on.
    - ``settings``: a row for each setting and each run: ``setting``, its mean score on the queries
      ``tuned`` on, and on the ``other`` queries; the best first.
    - ``comparison``: the best setting on the other queries, against the run that is best on those
      tuned on, as `compare` has it.
    - ``engines``: a row for each ``engine`` that can be set to the best, with the ``setting`` as
      JSON, where the name of a run takes the place of its retriever.
    """

    best: dict[str, Any]
    settings: pl.DataFrame
    comparison: Comparison
    engines: pl.DataFrame

    def tables(self, digits: int = 4, number: int = 10) -> Iterator[Table]:
        """The comparison, and the ``number`` settings that are best on the queries tuned on."""
        yield from self.comparison.tables(digits)
        yield Table(self.settings.head(number))
        if self.engines.height:
            yield Table(self.engines)


def tune(
    qrels: Qrels,
    run: Runs,
    metric: str = "nDCG@10",
    *,
    methods: Sequence[str] = (),
    settings: Iterable[Mapping[str, Any]] | None = None,
    step: float | None = None,
    share: float = 0.5,
    depth: int = 100,
    alpha: float = 0.05,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    grades: Any = None,  # noqa: ANN401
) -> Tuning:
    """The best way to fuse runs: many are tried on some queries, the best is tested on the others.

    The frame has a row for each way.

    - ``qrels``, ``run``, ``con``, ``columns``, ``run_names``, ``grades``: as for `evaluate`; two
      runs or more.
    - ``metric``: what to score by; a higher score must be better.
    - ``methods``: these methods, by every normalization; by default what OpenSearch and
      Elasticsearch can be set to. One that learns does so from other queries tuned on.
    - ``settings``: instead, the options of `fuse` to try, such as ``[{"method": "rrf", "k": 10}]``.
    - ``step``: also try weights of the runs that add up to 1, in steps of this: 0.1 tries 0.1 and
      0.9, 0.2 and 0.8, … of two runs.
    - ``share``: the share of the queries to tune on, drawn at random.
    - ``depth``: fuse only this many documents of each run and query.
    - ``alpha``: 1 minus the confidence of the interval.
    - ``seed``: of the draw of queries.

    Raises `InputError` as `fuse` and `compare` do.

    >>> qrels = {f"q{n}": {"a": 1} for n in range(8)}
    >>> runs = {
    ...     "old": {q: {"b": 2.0, "a": 1.0} for q in qrels},
    ...     "new": {q: {"a": 9.0, "c": 1.0} for q in qrels},
    ... }
    >>> found = tune(qrels, runs, settings=[{"method": "rrf"}, {"method": "comb_min"}], metric="RR")
    >>> found.best["method"], found.comparison.tests["difference"][0]
    ('rrf', 0.0)
    """
    require_number("share", share, 0, 1)
    require_whole("depth", depth)
    require_seed(seed)
    wanted = parse(metric)
    if len(wanted) != 1 or wanted[0].metric.is_loss:
        raise InputError(f"metric must be one, of which a higher score is better, not {metric!r}")
    require_kind(wanted, "runs")
    judgments = qrels if isinstance(qrels, Judgments) else Judgments(qrels)
    words = setting(graded, read_grades(grades))
    with words, open_reader(con, columns, run_names) as reader:
        listed = _read_settings(methods, settings, reader)
        judged, _ = judgments.take(reader, SUBTOPIC_QRELS if take_subtopics(wanted) else QRELS)
        runs = read_several(reader, run)
        remark(reader.notes)
        names, tables = runs.run_ids, dict.fromkeys(("run", "training"), runs.table)
        tables["qrels"] = judged.table
        tried = {_name(each, names): each for each in _weigh(listed, names, step)}
        settings_of = {name: read_setting(**each) for name, each in tried.items()}
        alone = reader.run(f"SELECT run_id, query_id, doc_id, score FROM {runs.table}")
        before = evaluate(judgments, alone, metric, grades=grades)
        tuned, others = _draw(before.per_query, share, seed)
        with reading(runs.name):
            kept = _leave_unusual(reader, tables, settings_of)
            begin(f"fusing by {count(len(kept), 'setting')}")
            are_learned = any(learns(each.method) for each in kept.values())
            parts, fused = [[*tuned, *others]], list[pl.DataFrame]()
            for part in (tuned[::2], tuned[1::2], others) if are_learned else parts:
                # a learned one knows the judgments of other queries, of those tuned on
                known = _take(reader, judged.table, {*tuned} - {*part})
                own = {**tables, "run": _take(reader, runs.table, part), "qrels": known}
                fused.append(fuse_all(reader, own, names, kept, depth))
    begin("scoring settings")
    rows = pl.concat(fused).select(alone.columns).sort("score", descending=True)
    scores = evaluate(judgments, rows, metric, grades=grades)
    doubts = [note for note in (*before.notes, *scores.notes) if isinstance(note, Doubt)]
    per_query = pl.concat([before.per_query, scores.per_query])
    best, means, found = _choose(per_query, wanted[0].name, [*tried], tuned, alpha)
    chosen = settings_of[best]
    weights = (*{**dict.fromkeys(names, 1), **chosen.weights}.items(),)
    given = (weights, chosen.method, chosen.normalization, chosen.parameters.get("k"), depth)
    with open_reader() as reader:
        engines = reader.run(f"FROM set_engines({', '.join(map(quote, given))})")
    notes = (*doubts, *found.notes)
    if alone.group_by("run_id", "query_id").len()["len"].max() > depth:  # type: ignore[operator]
        notes += (f"only the first {depth} documents are fused, as by fuse with depth {depth}",)
    return Tuning(tried[best], means, found, engines, method=found.method, notes=notes)


def _read_settings(
    methods: Sequence[str], settings: Iterable[Mapping[str, Any]] | None, reader: DuckDB
) -> list[dict[str, Any]]:
    """The options to try."""
    options = dict.fromkeys(name for method in list_methods() for name in list_parameters(method))
    options = dict.fromkeys(["method", "normalization", "weights", *options])
    if settings is None:
        wanted = [read_setting(each).method for each in read_names("methods", methods)]
        settable = "SELECT DISTINCT method, normalization FROM engine_settings()"
        ways = [(each, *list_normalizations()) for each in wanted] or reader.run(settable).rows()
        settings = (each for way in ways for each in _list_settings(*way))
    listed: list[dict[str, Any]] = []
    is_one = isinstance(settings, Mapping) or not is_many(settings)
    for each in [settings] if is_one else settings:
        if not isinstance(each, Mapping) or not each.keys() <= {*options}:
            raise InputError(
                f"a setting must be a dict with {', '.join(options)}, not {each!r:.80}"
            )
        listed.append({**each, "method": read_setting(**{"method": "rrf", **each}).method})
    if not listed:
        raise InputError("no settings to try; give at least one")
    return listed


def _weigh(
    listed: list[dict[str, Any]], names: Sequence[str], step: float | None
) -> Iterator[dict[str, Any]]:
    """The settings, and each of those without weights with all weights that add up to 1."""
    yield from listed
    if step is None:
        return
    require_number("step", step, 0, 1)
    weighed = [each for each in listed if "weights" not in each and not learns(each["method"])]
    number = round(1 / step)
    if abs(number * step - 1) > 1e-9 or number < len(names):
        raise InputError(f"step must divide 1 into {len(names)} parts or more, not {step!r}")
    for ends in combinations(range(1, number), len(names) - 1):
        parts = (high - low for low, high in pairwise((0, *ends, number)))
        weights = {name: round(part * step, 10) for name, part in zip(names, parts, strict=True)}
        if len({*weights.values()}) > 1:
            yield from ({**each, "weights": weights} for each in weighed)


def _list_settings(method: str, *normalizations: str) -> Iterator[dict[str, Any]]:
    """A method with normalizations, if it takes any, and all that is tried of its parameter."""
    name, _, values = list_methods()[method].header.get("tried", "").partition(" ")
    for own in [{name: value} for value in json.loads(f"[{values}]")] or [{}]:
        options = {"method": method, **own}
        if uses_scores(method):
            yield from ({**options, "normalization": each} for each in normalizations)
        else:
            yield options


def _name(setting: Mapping[str, Any], runs: Sequence[str]) -> str:
    """``comb_gmnz(normalization=max, gamma=0.5)``, and more where a run is called so."""
    listed = ", ".join(f"{key}={value}" for key, value in setting.items() if key != "method")
    name = f"{setting['method']}({listed})" if listed else str(setting["method"])
    return f"{name} (fused)" if name in runs else name


def _leave_unusual(
    reader: DuckDB, tables: Mapping[str, str], settings: Mapping[str, Setting]
) -> dict[str, Setting]:
    """The settings that these runs and judgments allow."""
    refused = dict[tuple[str, str], InputError]()
    for call, each in {(e.relation.name, e.normalization): e for e in settings.values()}.items():
        try:
            each.refuse(reader, tables)
        except InputError as error:
            refused[call] = error
    kept = {n: e for n, e in settings.items() if (e.relation.name, e.normalization) not in refused}
    if not kept:
        raise next(iter(refused.values()))
    if left := len(settings) - len(kept):
        remark([f"{count(left, 'setting')} left out: {next(iter(refused.values()))}"])
    return kept


def _draw(scores: pl.DataFrame, share: float, seed: int) -> tuple[list[str], list[str]]:
    """The queries to tune on, in any order, and the others."""
    queries = sorted(scores["query_id"].unique())
    number = round(share * len(queries))
    if not 0 < number < len(queries):
        what = count(len(queries), "query")
        raise InputError(f"{what} cannot be divided into some to tune on and some to test")
    tuned = Random(seed).sample(queries, number)  # noqa: S311 - a draw
    return tuned, sorted({*queries} - {*tuned})


def _take(reader: DuckDB, table: str, queries: Iterable[str]) -> str:
    """A view of the rows of these queries."""
    taken = reader.register(pl.DataFrame({"query_id": [*queries]}, {"query_id": pl.String}))
    return reader.keep(f"FROM {table} SEMI JOIN {taken} USING (query_id)")


def _choose(
    scores: pl.DataFrame, metric: str, tried: Sequence[str], queries: Sequence[str], alpha: float
) -> tuple[str, pl.DataFrame, Comparison]:
    """The best setting, the means of all, and the best compared on the other queries."""
    tuned = pl.col("query_id").is_in(queries)
    is_tuned = {"tuned": tuned, "other": ~tuned}
    listed = scores.group_by(setting="run_id").agg(
        **{name: pl.col(metric).filter(part).mean() for name, part in is_tuned.items()}
    )
    # means that are equal except for the last digit are equal
    order = (pl.col("tuned").round(12), pl.col("setting"))
    listed = listed.sort(*order, descending=[True, False])
    is_fused = pl.col("setting").is_in(tried)
    best = listed.filter(is_fused)["setting"][0]
    alone = listed.filter(~is_fused)["setting"][0]
    other = scores.filter(~tuned & pl.col("run_id").is_in([best, alone]))
    every = scores["query_id"].n_unique()
    note = f"tuned on {len(queries)} of {every} queries, compared on the others"
    comparison = compare(other, alone, alpha=alpha)
    return best, listed, replace(comparison, notes=(note, *comparison.notes))
