"""Scores of recommendations beyond accuracy: coverage, popularity, diversity, calibration."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import polars as pl

from ..catalogue import find, list_relations, parsing
from ..catalogue.measures import Measure, require_scored_by
from ..errors import InputError, MetricError
from ..inputs.columns import HISTORY, OPTIONAL_QRELS, Columns, name_items, quote_name
from ..inputs.data import Data, RunNames, Runs
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..macros.create import list_refused, prepare
from ..macros.install import call_installed
from ..macros.statements import (
    build_recommended,
    list_item_columns,
    relate_recommended,
    select_recommended,
    write_mean,
)
from ..progress import begin
from ..running.checks import (
    check_run_ids,
    find_problems,
    list_run_ids,
    refuse,
    require_finite,
    require_judged_once,
    write_refusal,
)
from ..running.connections import open_reader
from ..running.duckdb import select_exactly
from ..score import Scores

if TYPE_CHECKING:
    import duckdb

# What is scored when no metric is named, as far as the tables for it are given.
_DEFAULT_METRICS = (
    *("ItemCoverage@10", "Gini@10", "Personalization@10", "UserCoverage"),
    *("Novelty@10", "ARP@10", "Overlap@10", "Serendipity@10"),
)

_TABLES = {
    "history": "what users had before",
    "items": "the items that could be recommended",
    "qrels": "judgments",
    "baseline": "a run to compare with",
}


def recommendations(
    run: Runs,
    metrics: str | Iterable[str] | None = None,
    *,
    history: Data | None = None,
    items: Data | None = None,
    qrels: Data | None = None,
    baseline: Runs | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> Scores:
    """Score recommendations beyond accuracy: coverage, popularity, diversity; returns `Scores`.

    Every recommended item counts, judged or not: a query_id is a user, a doc_id an item.

    - ``run``: one or more runs, as for `evaluate`.
    - ``metrics``: names such as ``"ItemCoverage@10 Novelty@10"``, which `metrics` lists in the
      family recommendations. Without any, some for which the tables are given.
    - ``history``: what users had before: a row for each user and item, with query_id and doc_id. An
      item that a user had several times counts once.
    - ``items``: the items that could be recommended, with doc_id and, for the metrics that need
      them, category, group_id (of providers, say) or features (a vector). Without it, they are the
      items of the history.
    - ``qrels``: judgments, as for `evaluate`; for metrics of relevant items.
    - ``baseline``: one run to compare lists with, such as that of the most popular items.
    - ``con``, ``columns``, ``run_names``: as for `evaluate`.

    ``per_query`` has a row for each user with a list, and the metrics that have a score for one
    list; ``mean`` has their means, and the metrics of a run's lists together, such as Gini. A score
    is null where it has no meaning, such as the calibration to a user without a history, and means
    leave it out.

    Raises `InputError` for data that cannot be read or would give a wrong score, and for a table
    that a metric needs, `MetricError` for a metric that does not exist or is not one of these.

    >>> history = pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "b", "a", "c"]})
    >>> run = {"1": {"c": 0.9}, "2": {"b": 0.8}, "3": {"a": 0.7}}
    >>> recommendations(run, "ItemCoverage ARP", history=history).mean.rows()
    [('run', 1.0, 1.3333333333333333)]
    """
    given: dict[str, object] = {
        "history": history,
        "items": items,
        "qrels": qrels,
        "baseline": baseline,
    }
    known = {name for name, table in given.items() if table is not None}
    wanted, notes = _choose(metrics, known)
    with open_reader(con, columns, run_names) as reader:
        tables = _Tables(reader, wanted)
        tables.read(run, history=history, items=items, qrels=qrels, baseline=baseline)
        with reading(" or ".join(tables.names)):
            tables.check()
            begin("ranking items")
            per_query, mean = _score(reader, wanted, tables)
    notes += reader.notes
    statement = call_installed(build_recommended(wanted, tables.called, tables.queries))
    return Scores(per_query, mean, statement, tuple(wanted), notes=tuple(notes))


def ask_recommendations(metrics: str | Iterable[str]) -> list[Measure]:
    """The metrics that are asked for; what does not go together is refused."""
    wanted = parsing.parse(metrics)
    require_scored_by("recommendations", wanted)
    if summed := [m.name for m in wanted if m.aggregate and m.metric.is_of_runs]:
        raise MetricError(f"{summed[0]} has no aggregate; it is of all lists together")
    return wanted


def _choose(
    metrics: str | Iterable[str] | None, given: Collection[str]
) -> tuple[list[Measure], list[str]]:
    """The metrics, and a note if they were not named; a table that one lacks is refused."""
    if metrics is None:
        listed = [m for m in ask_recommendations(_DEFAULT_METRICS) if not _find_lack(m, given)]
        if not listed:
            listed = ask_recommendations("Personalization@10")
        return listed, [f"no metrics given; these are {' '.join(m.name for m in listed)}"]
    wanted = ask_recommendations(metrics)
    for measure in wanted:
        if lack := _find_lack(measure, given):
            raise InputError(lack)
    return wanted, []


def _find_lack(measure: Measure, given: Collection[str]) -> str | None:
    """The message about a table that a metric needs and is not given, or None."""
    needed = [table for table in measure.metric.tables if table in _TABLES]
    column = next(iter(list_item_columns([measure])), None)
    for table in needed:
        if table in given or (table == "items" and "history" in given and not column):
            continue
        what = _TABLES[table] + (
            f", with the column {column}" if table == "items" and column else ""
        )
        more = ", or history= (--history) for those of the history" * (
            table == "items" and not column
        )
        return f"{measure.name} needs {what}: give {table}= (--{table}){more}"
    return None


class _Tables:
    """The tables that metrics need, on a connection: read, then checked.

    ``called`` are their names by the parameters of relations, in SQL over ``queries``.
    """

    def __init__(self, reader: Reader, wanted: Iterable[Measure]) -> None:
        self.reader = reader
        self.wanted = [*wanted]
        self.inputs: dict[str, Input] = {}
        self.runs: dict[str, Input] = {}
        self.baselines: dict[str, Input] = {}
        self.relations = {
            name: find("relations", name)
            for measure in self.wanted
            for name in list_relations(measure.metric.relation)
        }

    @property
    def names(self) -> list[str]:
        """What the inputs are called."""
        read = (*self.runs.values(), *self.inputs.values(), *self.baselines.values())
        return [each.name for each in read]

    def read(
        self,
        run: Runs,
        *,
        history: Data | None,
        items: Data | None,
        qrels: Data | None,
        baseline: Runs | None,
    ) -> None:
        """Read those that a metric needs."""
        needed = {table for measure in self.wanted for table in measure.metric.tables}
        self.runs = self.reader.read_runs(run)
        item_kind = name_items(list_item_columns(self.wanted))
        has_items = items is not None
        kinds = {
            "history": (history, HISTORY),
            "items": (items, item_kind),
            "qrels": (qrels, OPTIONAL_QRELS),
        }
        for name, (data, kind) in kinds.items():
            is_instead = name == "history" and "items" in needed and not has_items
            if data is not None and (name in needed or is_instead):
                self.inputs[name] = self.reader.read(data, kind)
        if baseline is not None and "baseline" in needed:
            self.baselines = self.reader.read_runs(baseline)

    def check(self) -> None:
        """Raise `InputError` for what would make a score wrong."""
        con = self.reader.con
        begin("checking recommendations")
        refuse(con, self.runs.values())
        names = [(each.name, list_run_ids(con, each)) for each in self.runs.values()]
        check_run_ids(names)
        refused = {check for file in self.relations.values() for check in list_refused(file)}
        refuse(con, self.inputs.values(), refused | {"unusable_history"})
        if judgments := self.inputs.get("qrels"):
            asked = [m.name for m in self.wanted if "qrels" in m.metric.tables]
            require_judged_once(con, judgments, asked)
        if self.baselines:
            refuse(con, self.baselines.values())
            found = [id for each in self.baselines.values() for id in list_run_ids(con, each)]
            if len(found) > 1:
                raise InputError(
                    f"the baseline has several runs, such as {found[0]} and {found[1]}; "
                    "keep one of them"
                )

    @property
    def tables(self) -> dict[str, str]:
        """The names of the tables by the parameters of relations."""
        found = {name: each.table for name, each in self.inputs.items()}
        found["run"] = self.reader.unite(self.runs.values())
        if "items" not in found and "history" in found:
            found["items"] = found["history"]
        if self.baselines:
            found["baseline"] = self.reader.unite(self.baselines.values())
        return found

    @property
    def queries(self) -> dict[str, str]:
        """The inputs as queries, by the names in `called`."""
        union = "\nUNION ALL BY NAME\n"
        found = {f"_{name}": each.query for name, each in self.inputs.items()}
        found["_run"] = union.join(each.query for each in self.runs.values())
        if self.baselines:
            found["_baseline"] = union.join(each.query for each in self.baselines.values())
        return found

    @property
    def called(self) -> dict[str, str]:
        found = {name.lstrip("_"): name for name in self.queries}
        return {"items": "_history"} | found if "_history" in self.queries else found


# The variants of macros that DuckDB runs.
_VARIANTS = "duckdb"


def _score(
    reader: Reader, wanted: list[Measure], tables: _Tables
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The scores of each list, and those of each run."""

    def keep(call: str) -> str:
        return reader.keep(prepare(reader.con, f"SELECT * FROM {call}", _VARIANTS), as_table=True)

    named = tables.tables
    _, groups = relate_recommended(wanted, named, keep)
    lists: list[pl.DataFrame] = []
    means: list[pl.DataFrame] = []
    begin("scoring")
    for relation, group in groups.items():
        if group[0].metric.relation == "exposed":
            _require_listed(reader, relation, has_items="items" in tables.inputs)
        query = prepare(reader.con, select_recommended(relation, group), _VARIANTS)
        found = select_exactly(reader, query)
        if group[0].metric.is_of_runs:
            means.append(found)
            continue
        lists.append(found)
        summaries = (f"{write_mean(m, 's', exact=True)} AS {quote_name(m.name)}" for m in group)
        query = f"SELECT s.run_id, {', '.join(summaries)} FROM {reader.register(found)} AS s "
        means.append(select_exactly(reader, prepare(reader.con, f"{query} GROUP BY s.run_id")))
    runs = reader.ask(f"SELECT DISTINCT run_id FROM {named['run']}")
    per_query = _join(lists, ["run_id", "query_id"])
    mean = _join([runs, *means], ["run_id"])
    names = [measure.name for measure in wanted]
    of_lists = [m.name for m in wanted if not m.metric.is_of_runs]
    require_finite(mean, wanted, "run_id", " or ".join(tables.names))
    return per_query.select("run_id", "query_id", *of_lists), mean.select("run_id", *names)


def _join(parts: list[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    """The rows of all parts side by side, sorted."""
    if not parts:
        return pl.DataFrame(schema=dict.fromkeys(keys, pl.String))
    joined, *others = parts
    for part in others:
        joined = joined.join(part, on=keys, how="full", coalesce=True)
    return joined.sort(keys)


def _require_listed(reader: Reader, exposed: str, *, has_items: bool) -> None:
    """Raise `InputError` for a recommended item that is not in the catalogue."""
    check = find("checks", "unlisted_items")
    number, rows = find_problems(reader.con, exposed.replace("exposed", check.path.stem, 1))
    for row in rows[:1]:
        remedy = None if has_items else "they are those of the history: give items= (--items)"
        raise write_refusal(check, (), row["problem"], number, remedy)
