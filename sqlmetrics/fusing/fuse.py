"""Fusion: several runs become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from ..catalogue import find_file, quote
from ..catalogue.literals import read_number
from ..errors import InputError, require_dict, require_whole
from ..inputs.columns import OPTIONAL_QRELS, Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.reader import Reader
from ..inputs.source import reading
from ..progress import begin, remark
from ..result import count
from ..running.checks import (
    read_checked,
    refuse,
    require_judged_once,
    write_refusal,
)
from ..running.connections import open_reader
from ..running.problems import find_problems
from ..running.relations import ask
from .methods import (
    BORDA,
    choose_normalization,
    learns,
    require_parameters,
    write_method,
    write_source,
)

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
    """One run from several: the documents of all, by what the runs together say of each.

    - ``run``, ``con``, ``columns``, ``run_names``: as for `evaluate`; two runs or more.
    - ``method``: how runs are fused, such as ``"rrf"`` or ``"comb_sum"``. ``docs/fusion.md`` has
      all.
    - ``normalization``: what makes the scores of different runs comparable. ``"min_max"`` without
      one; methods that use ranks only take none.
    - ``weights``: the weight of each run, such as ``{"bm25": 0.3, "neural": 0.7}``. Without
      weights, all are 1.
    - ``k``, ``p``, ``sigma``, ``gamma``, ``rel``, ``parts``, ``width``: parameters of methods; the
      method's own value without one. ``docs/fusion.md`` has them all.
    - ``qrels``: the judgments that methods which learn do so from. They should be of other queries
      than those that the fused run is scored for.
    - ``training``: what the same runs retrieved for the judged queries, ``run`` without one.
    - ``depth``: fuse only this many documents of each run and query, all without one; ``training``
      has no more of them, either.

    A row per query and document, the best first: ``query_id``, ``doc_id``, ``score``, ``rank``. It
    is a run, for `evaluate` or a file. Tied documents are in descending order of their ids.

    Raises `InputError` for data that cannot be read, and for scores that cannot be normalized.

    >>> runs = {"bm25": {"q": {"a": 9.0, "b": 8.0}}, "neural": {"q": {"b": 0.7, "c": 0.6}}}
    >>> fuse(runs, "rrf", k=60).select("doc_id", pl.col("score").round(4)).rows()
    [('b', 0.0325), ('a', 0.0164), ('c', 0.0161)]
    """
    chosen = choose_normalization(method, normalization)
    parameters = {"k": k, "p": p, "sigma": sigma, "gamma": gamma}
    parameters |= {"rel": rel, "parts": parts, "width": width}
    given = {name: value for name, value in parameters.items() if value is not None}
    require_parameters(method, given)
    weights = require_dict("weights", weights, "{'bm25': 0.3, 'neural': 0.7}") or None
    if depth is not None:
        require_whole("depth", depth)
    if learns(method) != (qrels is not None):
        needs = "learns from judgments; give qrels" if learns(method) else "takes no qrels"
        raise InputError(f"{method} {needs}")
    if (learns(method) and weights) or (training is not None and not learns(method)):
        what = "no weights: it learns them" if weights else "no training"
        raise InputError(f"{method} takes {what}")
    with open_reader(con, columns, run_names) as reader:
        given_runs = read_checked(reader, runs={"run": run})
        table, names = given_runs.tables["run"], given_runs.run_ids["run"]
        tables = {"run": combine(reader, table, names, weights)}
        if qrels is not None:
            tables |= _read_training(reader, qrels, training, table)
        note_missing(reader, table, names)
        if chosen == "min_max":
            note_single(reader, table)
        rows = write_source(method, chosen, tables, {**given, "depth": depth})
        score = write_method(method, given)
        begin("fusing runs")
        with reading(given_runs.name):
            if said := find_unusual(reader, table, chosen):
                raise InputError(said)
            query = (
                f"SELECT c.query_id, c.doc_id, {score} AS score FROM {rows} AS c "
                "GROUP BY c.query_id, c.doc_id"
            )
            found = ask(reader.con, query)
            large = found.filter(~pl.col("score").is_finite())
            for query_id, doc_id, _ in large.head(1).iter_rows():
                raise InputError(
                    f"the fused score of document {doc_id} of query {query_id} is too large for a "
                    "number; normalize the scores, such as by min_max"
                )
            return order(found, ["query_id"])


def _read_training(
    reader: Reader, qrels: Data, training: Runs | None, table: str
) -> dict[str, str]:
    """The tables that a method learns from, checked."""
    judgments = reader.read(qrels, OPTIONAL_QRELS)
    with reading(judgments.name):
        refuse(reader.con, [judgments])
        require_judged_once(reader.con, judgments, ["fusion"])
    if training is not None:
        known = read_checked(reader, runs={"training": training}).tables["training"]
    else:
        known = table
    tables = {"qrels": judgments.table, "training": known}
    call = f"untrained_runs({judgments.table}, {known}, {table})"
    number, rows = find_problems(reader.con, call)
    if number:
        raise InputError(f"{rows[0]['problem']}; {find_file('untrained_runs').header['remedy']}")
    return tables


def combine(
    reader: Reader, table: str, names: list[str], weights: Mapping[str, float] | None
) -> str:
    """The table of runs to fuse, with their weights."""
    if len(names) < 2:
        raise InputError(
            f"only one run, {names[0]}; to fuse needs two, each with a name in a column run_id or "
            "a file of its own"
        )
    return table if weights is None else _weigh(reader, table, names, weights)


def order(found: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The documents of each list, the best first, with their ranks."""
    lists = found.sort(*keys, "score", "doc_id", descending=[*[False] * len(keys), True, True])
    rank = pl.int_range(1, pl.len() + 1).over(keys)
    return lists.with_columns(rank=rank).select(*keys, "doc_id", "score", "rank")


def require_weights(names: list[str], weights: Mapping[str, float] | None) -> dict[str, float]:
    """The weight of each run, 1 without weights; raises `InputError` unless each run has one."""
    if weights is None:
        return dict.fromkeys(names, 1.0)
    found = {}
    for run_id, weight in weights.items():
        if run_id not in names:
            raise InputError(f"weights: no run named {run_id!r}; there are {', '.join(names)}")
        if (number := read_number(weight)) is None:
            raise InputError(f"weights: run {run_id} must have a finite number, not {weight!r}")
        found[run_id] = number[0]
    if missing := [run_id for run_id in names if run_id not in weights]:
        raise InputError(f"weights: run {missing[0]} has none; give each run a weight")
    return found


def _weigh(reader: Reader, table: str, names: list[str], weights: Mapping[str, float]) -> str:
    """The table of runs with their weights."""
    rows = [*require_weights(names, weights).items()]
    given = reader.register(
        pl.DataFrame(rows, {"run_id": pl.String, "weight": pl.Float64}, orient="row")
    )
    return reader.keep(f"SELECT r.*, w.weight FROM {table} AS r JOIN {given} AS w USING (run_id)")


def note_missing(reader: Reader, table: str, names: list[str]) -> None:
    """Say how many queries only some of the runs have."""
    query = (
        f"SELECT count(*) FROM (SELECT query_id FROM {table} GROUP BY query_id "
        f"HAVING count(DISTINCT run_id) < {len(names)})"
    )
    ((missing,),) = reader.con.execute(query).fetchall()
    if missing:
        said = count(missing, "query", "is")
        remark([f"{said} not in all runs, and fused from those that have them"])


def note_single(reader: Reader, table: str) -> None:
    """Say of how many lists the only document gets 0, the lowest score."""
    query = (
        f"SELECT run_id, count(*) FROM (SELECT run_id, query_id FROM {table} "
        "GROUP BY run_id, query_id HAVING count(*) = 1) GROUP BY run_id ORDER BY run_id"
    )
    for run_id, number in reader.con.execute(query).fetchall():
        lists = count(number, "list", "has")
        remark([f"{run_id}: {lists} one document, whose score min_max makes 0, the lowest"])


def find_unusual(reader: Reader, table: str, normalization: str) -> str | None:
    """Which scores cannot be normalized, and what to do; None if all can."""
    if normalization in ("none", BORDA):
        return None
    check = "scores_beyond_normalization"
    call = f"{check}({table}, normalization := {quote(normalization)})"
    number, rows = find_problems(reader.con, call)
    if not number:
        return None
    return str(write_refusal(find_file(check), (), rows[0]["problem"], number))
