"""Fusion: several runs become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import quote
from ..catalogue.literals import read_number
from ..engine.connections import DuckDB, open_reader
from ..engine.given import read_judgments, read_runs
from ..engine.interface import Given
from ..engine.relations import write_statistics
from ..errors import InputError, require_whole
from ..inputs.columns import OPTIONAL_QRELS, Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.source import reading
from ..progress import begin, remark
from .methods import Setting, learns, read_setting

if TYPE_CHECKING:
    import duckdb


def fuse(
    run: Runs,
    method: str = "rrf",
    *,
    normalization: str | None = None,
    weights: Mapping[str, float] | None = None,
    k: float | None = None,
    p: float | None = None,
    sigma: float | None = None,
    gamma: float | None = None,
    qrels: Data | None = None,
    training: Runs | None = None,
    rel: float | None = None,
    parts: int | None = None,
    width: int | None = None,
    depth: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> pl.DataFrame:
    """One run from several: all their documents, ranked by what the runs together say of each.

    - ``run``, ``con``, ``columns``, ``run_names``: as for `evaluate`; two runs or more.
    - ``method``: how runs are fused, such as ``"rrf"`` or ``"comb_sum"``, in capitals or with
      hyphens, too. ``docs/fusion.md`` has all.
    - ``normalization``: what makes the scores of different runs comparable. By default
      ``"min_max"``; methods that use only ranks take none.
    - ``weights``: the weight of each run, such as ``{"bm25": 0.3}``; by default 1. Methods that
      learn take none.
    - ``k``, ``p``, ``sigma``, ``gamma``, ``rel``, ``parts``, ``width``: parameters of methods; by
      default the method's own value. ``docs/fusion.md`` has them all.
    - ``qrels``: judgments to train the learned methods on. They should be of other queries
      than those that the fused run is scored for.
    - ``training``: what the same runs retrieved for those queries, under the same names; by default
      ``run``.
    - ``depth``: fuse only this many documents of each run and query, by default all; the same of
      ``training``.

    A row per query and document, the best first: ``query_id``, ``doc_id``, ``score``, ``rank``. It
    is a run, for `evaluate` or a file. Tied documents are in descending order of their ids.

    Raises `InputError` for data that cannot be read, and for scores that cannot be normalized.

    >>> runs = {"bm25": {"q": {"a": 9.0, "b": 8.0}}, "neural": {"q": {"b": 0.7, "c": 0.6}}}
    >>> fuse(runs, "rrf", k=60).select("doc_id", pl.col("score").round(4)).rows()
    [('b', 0.0325), ('a', 0.0164), ('c', 0.0161)]
    """
    parameters = {"k": k, "p": p, "sigma": sigma, "gamma": gamma}
    parameters |= {"rel": rel, "parts": parts, "width": width}
    setting = read_setting(method, normalization, weights, **parameters)
    method = setting.method
    if depth is not None:
        require_whole("depth", depth)
    if learns(method) and qrels is None:
        raise InputError(f"{method} learns from judgments; give qrels")
    if not learns(method) and (qrels is not None or training is not None):
        raise InputError(f"{method} does not learn, so it takes no qrels and no training")
    with open_reader(con, columns, run_names) as reader:
        runs = read_several(reader, run)
        tables = {"run": runs.table}
        if qrels is not None:
            learned = runs if training is None else read_runs(reader, training)
            judgments = read_judgments(reader, qrels, OPTIONAL_QRELS)
            tables |= {"qrels": judgments.table, "training": learned.table}
        if setting.normalization == "min_max":
            remark([*reader.run(f"FROM single_documents({runs.table})")["problem"]])
        remark(reader.notes)
        begin("fusing runs")
        with reading(runs.name):
            setting.refuse(reader, tables)
            found = fuse_all(reader, tables, runs.run_ids, {method: setting}, depth)
            for large in found.filter(~pl.col("score").is_finite()).iter_rows(named=True):
                place = f"document {large['doc_id']} of query {large['query_id']}"
                said = "is too large for a number; normalize the scores, such as by min_max"
                raise InputError(f"the fused score of {place} {said}")
    found = found.sort("query_id", "score", "doc_id", descending=[False, True, True])
    rank = pl.int_range(1, pl.len() + 1).over("query_id")
    return found.select("query_id", "doc_id", "score", rank=rank)


def read_several(reader: DuckDB, run: Runs) -> Given:
    """The runs to fuse, with a note on queries that not all have."""
    runs = read_runs(reader, run)
    if len(names := runs.run_ids) < 2:
        raise InputError(
            f"only one run, {names[0]}; fusing needs two, each with a name in a column run_id or "
            "a file of its own"
        )
    remark([*reader.run(f"FROM uncommon_queries({runs.table})")["problem"]])
    return runs


def fuse_all(
    reader: DuckDB,
    tables: Mapping[str, str],
    names: Sequence[str],
    settings: Mapping[str, Setting],
    depth: int | None,
) -> pl.DataFrame:
    """The fused runs of settings by name: run_id, query_id, doc_id and score.

    A statement is for all settings that aggregate the same rows, whatever the weights of the runs.
    """
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for name, each in settings.items():
        rows, weights = each.write_rows(tables, depth), ""
        if each.weights:
            weights = quote(read_weights(names, each.weights))
            if each.relation.header["once"] != "run_id":  # a row is of several runs
                weighed = f"SELECT r.*, {weights}[r.run_id] AS weight FROM {tables['run']} AS r"
                rows = each.write_rows({**tables, "run": reader.keep(weighed)}, depth)
                weights = ""
        groups.setdefault(rows, []).append((name, weights, each.write_score()))
    return pl.concat(_fuse_rows(reader, rows, group) for rows, group in groups.items())


def _fuse_rows(reader: DuckDB, rows: str, group: Sequence[tuple[str, str, str]]) -> pl.DataFrame:
    """The fused runs of settings over the same rows, which are names, weights and calls."""
    names, weights, calls = zip(*group, strict=True)
    numbers = {each: number for number, each in enumerate(dict.fromkeys(weights))}
    columns, weighings = "r.*, 0 AS weighing", ""
    if any(numbers):
        columns = "r.* REPLACE (coalesce(w.weights[r.run_id], r.weight) AS weight), w.weighing"
        listed = ", ".join(f"({number}, {each or 'NULL'})" for each, number in numbers.items())
        weighings = f" CROSS JOIN (VALUES {listed}) AS w(weighing, weights)"
    source = f"(SELECT {columns} FROM {rows} AS r{weighings}) AS c"
    keys = ["weighing", "query_id", "doc_id"]
    scores = write_statistics({call: call for call in calls}, source, [f"c.{key}" for key in keys])
    found = reader.run(scores).unpivot(index=keys, variable_name="call", value_name="score")
    places = pl.Series([numbers[each] for each in weights], dtype=found.schema["weighing"])
    wanted = pl.DataFrame({"run_id": names, "weighing": places, "call": calls})
    fused = found.join(wanted, on=["weighing", "call"])
    return fused.select("run_id", "query_id", "doc_id", "score")


def read_weights(names: Sequence[str], weights: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """The weight of each run; raises `InputError` unless each has one."""
    found = []
    for run_id, weight in weights.items():
        if run_id not in names:
            raise InputError(f"weights: no run named {run_id!r}; there are {', '.join(names)}")
        if (number := read_number(weight)) is None:
            raise InputError(f"weights: run {run_id} must have a finite number, not {weight!r}")
        found.append((run_id, number[0]))
    if missing := [run_id for run_id in names if run_id not in weights]:
        raise InputError(f"weights: run {missing[0]} has none; give each run a weight")
    return tuple(found)
