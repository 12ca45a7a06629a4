"""Pools: how much judgments depend on single runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import Value, quote
from ..catalogue.conventions import ScoreType, choose
from ..comparing.scores import settle
from ..errors import InputError, require_dict, require_whole
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.frames import require_again
from ..inputs.reader import Reader
from ..inputs.source import reading
from ..inputs.streams import Stream
from ..progress import begin, collecting_remarks, remark
from ..running.checks import read_checked
from ..running.connections import open_reader
from ..running.relations import keep, relate
from ..running.session import order_runs
from ..score import evaluate

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions


def leave_out(
    qrels: Data,
    run: Runs,
    metrics: str | Iterable[str] | None = None,
    *,
    pool_depth: int = 100,
    groups: Mapping[str, str] | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> pl.DataFrame:
    """How much each run depends on its own judgments: its scores without what it alone found.

    A run that was not pooled is scored with judgments that lack what only it retrieves. To see how
    much that matters, each run in turn is left out: judged documents that only it has among its
    first ``pool_depth`` become unjudged, and all runs are scored again (Zobel 1998).

    A row for each run and metric: ``run_id``, ``metric``, ``alone`` (judged documents that only it,
    or its group, has), ``relevant_alone`` (how many of these are relevant), ``score``,
    ``score_without``, the ``change``, and its ``rank`` and ``rank_without`` among the runs.

    - ``qrels``, ``run``, ``metrics``, ``con``, ``columns``, ``run_names``: as for `evaluate`, as
      are its conventions.
    - ``pool_depth``: how deep the runs were pooled.
    - ``groups``: the group of each run, such as ``{"bm25": "lucene", "bm25+rm3": "lucene"}``: the
      runs of a group are left out together.

    Raises `InputError` as `evaluate` does, and for fewer than two runs or groups.

    >>> qrels = {"q1": {"a": 1, "b": 1, "c": 1}}
    >>> runs = {"old": {"q1": {"a": 2.0, "b": 1.0}}, "new": {"q1": {"a": 2.0, "c": 1.0}}}
    >>> found = leave_out(qrels, runs, "P@2")
    >>> found.select("run_id", "alone", "score", "score_without").rows()
    [('old', 1, 1.0, 0.5), ('new', 1, 1.0, 0.5)]
    """
    require_whole("pool_depth", pool_depth)
    known = require_dict("groups", groups, "{'bm25': 'lucene'}")
    require_again(run, "scored several times")
    given: dict[str, Any] = {"con": con, "columns": columns, "run_names": run_names}
    with (
        collecting_remarks(),  # which evaluate makes, too
        open_pool(qrels, run, **given, groups=groups, depth=pool_depth) as pool,
    ):
        begin("looking for documents that one run alone has")
        rel = choose(None, options).relevant_from
        # groups are cut already
        taken = pool_depth if groups is None else _WHOLE
        alone = pool.relate("found_alone", rel=float(rel), depth=taken)
        judged, members = pool.judgments, pool.members
    if len({*members.values()}) < 2:
        raise InputError("to leave one out needs two runs or groups")
    with collecting_remarks():
        whole = evaluate(judged, run, metrics, **given, **options)
    remark(whole.notes)
    parts = []
    for group in sorted({*members.values()}):
        begin(f"leaving out {group}")
        gone = alone.filter(run_id=group).select("query_id", "doc_id", gone=True)
        # below 0 is not judged, and the query still counts
        rest = judged.join(gone, on=["query_id", "doc_id"], how="left").select(
            "query_id",
            "doc_id",
            relevance=pl.when("gone").then(-1.0).otherwise("relevance"),
        )
        with collecting_remarks():
            without = evaluate(rest, run, metrics, **given, **options)
        own = [name for name in whole.mean["run_id"] if known.get(name, name) == group]
        ranks = _rank(whole.mean).join(
            _rank(without.mean), on=["run_id", "metric"], suffix="_without", maintain_order="left"
        )
        mine = alone.filter(run_id=group)
        parts.append(
            ranks.filter(pl.col("run_id").is_in(own)).with_columns(
                alone=pl.lit(mine.height), relevant_alone=pl.lit(int(mine["relevant"].sum()))
            )
        )
    found = pl.concat(parts).select(
        *("run_id", "metric", "alone", "relevant_alone", "score", "score_without"),
        (pl.col("score_without") - pl.col("score")).alias("change"),
        *("rank", "rank_without"),
    )
    return order_runs(found.sort("run_id", maintain_order=True), whole.mean["run_id"])


def _rank(mean: pl.DataFrame) -> pl.DataFrame:
    """The scores of the runs in rows, with their rank by each metric; equal scores share one."""
    rows = mean.unpivot(index="run_id", variable_name="metric", value_name="score")
    place = settle("score", pl.col("score").abs()).rank("min", descending=True).over("metric")
    return rows.with_columns(rank=place.cast(pl.Int64))


_WHOLE = (1 << 31) - 1


class Pool:
    """Judgments and runs on a connection, read and checked."""

    def __init__(self, reader: Reader, qrels: str, run: str, members: dict[str, str]) -> None:
        self._reader = reader
        self._tables = {"qrels": qrels, "run": run}
        # the runs, each with the name that it has here
        self.members = members

    @property
    def judgments(self) -> pl.DataFrame:
        return pl.DataFrame(Stream(self._reader.con.sql(f"FROM {self._tables['qrels']}")))

    def list_queries(self) -> list[str]:
        """The queries that have judgments."""
        query = f"SELECT DISTINCT query_id FROM {self._tables['qrels']}"
        return [name for (name,) in self._reader.con.execute(query).fetchall()]

    def keep_queries(self, queries: Iterable[str]) -> None:
        """Leave out what is judged or retrieved for other queries."""
        kept = ", ".join(map(quote, queries))
        self._tables = {
            # DuckDB 1.5 fails where it hands IN to the scan of a frame
            name: self._reader.keep(
                f"SELECT * FROM {table} WHERE list_contains([{kept}], query_id)"
            )
            for name, table in self._tables.items()
        }

    def relate(self, relation: str, **options: Value) -> pl.DataFrame:
        """The rows of a relation."""
        given = relate(self._reader, relation, self._tables, checked=[*self._tables], **options)
        return given.read()


@contextmanager
def open_pool(
    qrels: Data | None,
    run: Runs,
    *,
    con: duckdb.DuckDBPyConnection | None,
    columns: Columns | None,
    run_names: RunNames,
    groups: Mapping[str, str] | None = None,
    depth: int = 1,
    score_type: ScoreType = "float64",
) -> Iterator[Pool]:
    """Read judgments and runs, and refuse what would give a wrong answer.

    With ``groups``, the runs of a group are one: what any of them has to this depth.
    """
    with open_reader(con, columns, run_names) as reader:
        judgments = {} if qrels is None else {"qrels": qrels}
        given = read_checked(reader, judgments, {"run": run}, score_type)
        with reading(given.name):
            schema = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Float64}
            table = given.tables.get("qrels") or reader.register(pl.DataFrame(schema=schema))
            union, members = given.tables["run"], {name: name for name in given.run_ids["run"]}
            if groups is not None:
                union, members = _group(reader, table, union, members, groups, depth)
            yield Pool(reader, table, union, members)


def _group(
    reader: Reader,
    qrels: str,
    run: str,
    members: dict[str, str],
    groups: Mapping[str, str],
    depth: int,
) -> tuple[str, dict[str, str]]:
    """The first documents of the runs under the names of their groups, each once in a list."""
    if unknown := [name for name in groups if name not in members]:
        raise InputError(f"no run named {unknown[0]}; there are {', '.join(sorted(members))}")
    members = {name: str(groups.get(name, name)) for name in members}
    named = pl.DataFrame({"name": [*members], "label": [*members.values()]})
    table = reader.register(named)
    rows = (
        f"SELECT _g.label AS run_id, _r.query_id, _r.doc_id, -min(_r.rank) AS score "
        f"FROM first_documents({qrels}, {run}, {depth}, 'descending') AS _r "
        f"JOIN {table} AS _g ON _r.run_id = _g.name GROUP BY _g.label, _r.query_id, _r.doc_id"
    )
    return keep(reader, rows), members
