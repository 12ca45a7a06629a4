"""Tuning: which fusion is best on some queries, and whether it is better on the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import Value
from ..catalogue.measures import take_subtopics
from ..catalogue.parsing import parse
from ..comparing import Comparison, compare
from ..errors import InputError, read_names, require_number, require_one_of, require_whole
from ..inputs.columns import QRELS, SUBTOPIC_QRELS, Columns, quote_name
from ..inputs.data import RunNames, Runs
from ..inputs.reader import Reader
from ..inputs.source import reading
from ..progress import begin, remark
from ..result import Result
from ..running.connections import open_reader
from ..running.judgments import Judgments, Qrels
from ..running.relations import ask
from ..score import evaluate
from ..tables import Table
from .fuse import combine, find_unusual, note_missing, read
from .methods import (
    choose_normalization,
    learns,
    list_methods,
    list_normalizations,
    require_parameters,
    write_method,
    write_source,
)

if TYPE_CHECKING:
    import duckdb

# What is tried of each parameter.
_TRIED: dict[str, Sequence[float]] = {
    "k": (0, 10, 30, 60, 100),
    "p": (0.5, 0.8, 0.9, 0.95, 0.98),
    "sigma": (0.01, 0.5, 1),
    "gamma": (0.25, 0.5, 2),
}


@dataclass(frozen=True, repr=False)
class Tuning(Result):
    """The result of `tune`.

    - ``best``: the options for `fuse` with the highest mean on the queries tuned on.
    - ``settings``: a row for each setting and each run: ``setting``, its mean score on the queries
      ``tuned`` on, and on the ``other`` queries; the best first.
    - ``comparison``: the best setting on the other queries, against the run that is best on those
      tuned on, as `compare` has it.
    """

    best: dict[str, Any]
    settings: pl.DataFrame
    comparison: Comparison

    def tables(self, digits: int = 4, number: int = 10) -> Iterator[Table]:
        """The comparison, and the ``number`` settings that are best on the queries tuned on."""
        yield from self.comparison.tables(digits)
        yield Table(self.settings.head(number))


def tune(
    qrels: Qrels,
    run: Runs,
    methods: Sequence[str] = (),
    *,
    settings: Iterable[Mapping[str, Any]] | None = None,
    metric: str = "nDCG@10",
    share: float = 0.5,
    depth: int = 100,
    seed: int = 0,
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> Tuning:
    """Try many ways to fuse runs on some queries, and test the best of them on the others.

    - ``qrels``, ``run``, ``con``, ``columns``, ``run_names``: as for `evaluate`; two runs or more.
    - ``methods``: only these methods; all by default.
    - ``settings``: instead, the options of `fuse` to try, such as ``[{"method": "rrf", "k": 10}]``.
    - ``metric``: what to score by; a higher score must be better.
    - ``share``: the share of the queries to tune on, drawn at random.
    - ``depth``: fuse only this many documents of each run and query.
    - ``seed``: of the draw of queries.
    - ``alpha``: 1 less the confidence of the interval.

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
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed must be a whole number, not {seed!r}")
    tried = _read_settings(methods, settings)
    wanted = parse(metric)
    if len(wanted) != 1 or wanted[0].metric.is_loss:
        raise InputError(f"metric must be one of which a higher score is better, not {metric!r}")
    judgments = qrels if isinstance(qrels, Judgments) else Judgments(qrels)
    with open_reader(con, columns, run_names) as reader:
        judgments.take(reader, SUBTOPIC_QRELS if take_subtopics(wanted) else QRELS)
        table, names, name = read(reader, run)
        with reading(name):
            fused = _fuse(reader, table, names, tried, depth)
            alone = ask(reader.con, f"SELECT run_id, query_id, doc_id, score FROM {table}")
    begin("scoring settings")
    scores = evaluate(judgments, pl.concat([alone, fused.select(alone.columns)]), metric)
    return _choose(scores.per_query, wanted[0].name, tried, share, seed, alpha)


def _read_settings(
    methods: Sequence[str], settings: Iterable[Mapping[str, Any]] | None
) -> dict[str, dict[str, Any]]:
    """The options to try, by their names."""
    if settings is None:
        for method in (wanted := read_names("methods", methods)):
            require_one_of("methods", method, tuple(_list_tried()))
        listed = [each for method in wanted or _list_tried() for each in _list_settings(method)]
    else:
        if isinstance(settings, str | Mapping) or not isinstance(settings, Iterable):
            raise InputError(f"settings must be dicts of options of fuse, not {settings!r:.80}")
        listed = []
        for each in settings:
            if not isinstance(each, Mapping) or not each.keys() <= {"method", *_OPTIONS}:
                options = ", ".join(("method", *_OPTIONS))
                raise InputError(f"a setting must be a dict with {options}, not {each!r:.80}")
            listed.append({"method": "rrf", **each})
    for each in listed:
        choose_normalization(each["method"], each.get("normalization"))
        require_one_of("method", each["method"], tuple(_list_tried()))
        require_parameters(each["method"], _take_parameters(each))
    if not listed:
        raise InputError("no settings to try; give at least one")
    return {_name(each): each for each in listed}


_OPTIONS = ("normalization", "weights", *_TRIED)


def _list_tried() -> list[str]:
    """The methods that learn nothing."""
    return [method for method in list_methods() if not learns(method)]


def _list_settings(method: str) -> Iterator[dict[str, Any]]:
    """Every normalization that a method takes, with everything that is tried of its parameters."""
    file = list_methods()[method]
    own = [name for name in file.statements[0].parameters if name in _TRIED]
    uses_scores = file.path.parent.name == "scores"
    for values in product(*(_TRIED[name] for name in own)):
        options = {"method": method, **dict(zip(own, values, strict=True))}
        if uses_scores:
            yield from ({**options, "normalization": each} for each in list_normalizations())
        else:
            yield options


def _take_parameters(setting: Mapping[str, Any]) -> dict[str, Value]:
    return {name: setting[name] for name in _TRIED if setting.get(name) is not None}


def _name(setting: Mapping[str, Any]) -> str:
    """``comb_gmnz(normalization=max, gamma=0.5)``."""
    listed = ", ".join(f"{key}={value}" for key, value in setting.items() if key != "method")
    return f"{setting['method']}({listed})" if listed else str(setting["method"])


def _fuse(
    reader: Reader,
    table: str,
    names: list[str],
    tried: dict[str, dict[str, Any]],
    depth: int,
) -> pl.DataFrame:
    """The fused runs of all settings: a statement for those that aggregate the same rows."""
    groups: dict[str, list[str]] = {}
    note_missing(reader, table, names)
    weighted: dict[str, str] = {}
    unusual: dict[str, str | None] = {}
    for name, setting in tried.items():
        weights = setting.get("weights")
        if (key := repr(weights)) not in weighted:
            weighted[key] = combine(reader, table, names, weights)
        chosen = choose_normalization(setting["method"], setting.get("normalization"))
        if chosen not in unusual:
            unusual[chosen] = find_unusual(reader, table, chosen)
        if unusual[chosen]:
            continue
        tables = {"run": weighted[key]}
        source = write_source(setting["method"], chosen, tables, {"depth": depth})
        groups.setdefault(source, []).append(name)
    if left := len(tried) - sum(map(len, groups.values())):
        remark([f"{left} settings are left out: they cannot normalize these scores"])
    if not groups:
        raise InputError("none of the settings can normalize these scores")
    parts = []
    for source, listed in groups.items():
        begin(f"fusing by {len(listed)} settings")
        columns = [
            f"{write_method(tried[name]['method'], _take_parameters(tried[name]))} "
            f"AS {quote_name(name)}"
            for name in listed
        ]
        found = ask(
            reader.con,
            f"SELECT c.query_id, c.doc_id, {', '.join(columns)} FROM {source} AS c "
            "GROUP BY c.query_id, c.doc_id",
        )
        keys = ["query_id", "doc_id"]
        parts.append(found.unpivot(index=keys, variable_name="run_id", value_name="score"))
    return pl.concat(parts)


def _choose(
    scores: pl.DataFrame,
    metric: str,
    tried: dict[str, dict[str, Any]],
    share: float,
    seed: int,
    alpha: float,
) -> Tuning:
    queries = sorted(scores["query_id"].unique())
    number = round(share * len(queries))
    if not 0 < number < len(queries):
        what = "1 query" if len(queries) == 1 else f"{len(queries)} queries"
        raise InputError(f"{what} cannot be divided into some to tune on and others")
    tuned = pl.col("query_id").is_in(Random(seed).sample(queries, number))  # noqa: S311 - a draw
    means = [
        scores.filter(part).group_by("run_id").agg(pl.col(metric).mean().alias(name))
        for name, part in (("tuned", tuned), ("other", ~tuned))
    ]
    # means that are equal except for the last digit are equal
    order = (pl.col("tuned").round(12), pl.col("setting"))
    listed = means[0].join(means[1], on="run_id").rename({"run_id": "setting"})
    listed = listed.sort(*order, descending=[True, False])
    is_fused = pl.col("setting").is_in([*tried])
    best = listed.filter(is_fused)["setting"][0]
    alone = listed.filter(~is_fused)["setting"][0]
    other = scores.filter(~tuned & pl.col("run_id").is_in([best, alone]))
    note = f"tuned on {number} of {len(queries)} queries, compared on the others"
    comparison = compare(other, alone, alpha=alpha)
    return Tuning(
        tried[best],
        listed,
        comparison,
        method=comparison.method,
        notes=(note, *comparison.notes),
    )
