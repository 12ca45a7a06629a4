"""Scores of recommendations beyond accuracy: coverage, popularity, diversity, calibration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure, write_call
from ..errors import InputError, MetricError
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames, Runs, name_some
from ..inputs.frames import can_be_read_once
from ..inputs.topics import Topics
from ..macros.statements import (
    ITEM_COLUMNS,
    Related,
    find_depth,
    list_item_columns,
    relate_recommended,
    select_recommended,
)
from ..progress import begin, warn
from ..running.checks import require_finite, write_refusal
from ..running.coverage import note_runs
from ..running.duckdb import summarize
from ..running.session import Question, order_runs
from ..score import Aggregate, Scores, ask
from .tables import Tables, open_tables

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
    aggregate: Aggregate | None = None,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: Data | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    engine: Any = None,  # noqa: ANN401
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
    - ``aggregate``: how a run's score comes from its users', as for `evaluate`; those of all lists
      together, such as Gini, stay as they are.
    - ``by``: one or more columns of ``topics``; ``mean`` has a row per run and segment. A metric of
      all lists together is then over the lists of the segment's users; the catalogue and the
      history stay whole.
    - ``weight``: the column of ``topics`` that says how much each user counts in a mean.
    - ``topics``: a table of users, with query_id; without it these are columns of the history.
    - ``con``, ``columns``, ``run_names``: as for `evaluate`.
    - ``engine``: a Spark session or its address, as for `evaluate`, which computes the scores of
      users. VectorILD is for DuckDB alone.

    ``per_query`` has a row for each user with a list, and the metrics that have a score for one
    list; ``mean`` has their means, and the metrics of a run's lists together, such as Gini. A score
    is null where it has no meaning, such as the calibration to a user without a history, and means
    leave it out. ``sql`` has a row per run, without segments and weights; it is empty where Spark
    does not have an aggregate, such as the median.

    Raises `InputError` for data that cannot be read or would give a wrong score, and for a table
    that a metric needs, `MetricError` for a metric that does not exist or is not one of these.

    >>> history = pl.DataFrame({"user": [1, 1, 2, 3], "item": ["a", "b", "a", "c"]})
    >>> run = {"1": {"c": 0.9}, "2": {"b": 0.8}, "3": {"a": 0.7}}
    >>> recommendations(run, "ItemCoverage ARP", history=history).mean.rows()
    [('run', 1.0, 1.3333333333333333)]
    """
    tables = {"history": history, "items": items, "qrels": qrels, "baseline": baseline}
    given = {name: data for name, data in tables.items() if data is not None}
    options = {"aggregate": aggregate, "by": by, "weight": weight, "topics": topics}
    question, notes = _choose(metrics, given, options)
    _require_users(question.topic_columns, topics, history)
    with open_tables(
        question.metrics,
        {"run": run, **given},
        con=con,
        columns=columns,
        run_names=run_names,
        engine=engine,
    ) as found:
        about = None
        if question.topic_columns:
            users = history if topics is None else topics
            about = found.read_topics(users, question.segments, question.weight)
        per_query, mean, remarks = _score(found, question, about)
        warn(found.notes)
        return Scores(
            order_runs(per_query, found.run_ids),
            order_runs(mean, found.run_ids),
            found.statement,
            question.metrics,
            question.segments,
            question.weight,
            notes=(*notes, *found.notes, *remarks),
        )


def ask_recommendations(metrics: str | Iterable[str], **options: Any) -> Question:  # noqa: ANN401
    """What is asked, by the ``options`` of `score.ask`; what does not go together is refused."""
    question = ask(metrics, Conventions(), function="recommendations", **options)
    if summed := [m.name for m in question.metrics if m.aggregate and m.metric.is_of_runs]:
        raise MetricError(f"{summed[0]} has no aggregate; it is of all lists together")
    return question


def _choose(
    metrics: str | Iterable[str] | None, given: Collection[str], options: dict[str, Any]
) -> tuple[Question, list[str]]:
    """What is asked, and a note if no metrics were named; a table that one lacks is refused."""
    if metrics is None:
        known = ask_recommendations(_DEFAULT_METRICS).metrics
        listed = [m.name for m in known if not _find_lack(m, given)] or ["Personalization@10"]
        return (
            ask_recommendations(listed, **options),
            [f"no metrics given; these are {' '.join(listed)}"],
        )
    question = ask_recommendations(metrics, **options)
    for measure in question.metrics:
        if lack := _find_lack(measure, given):
            raise InputError(lack)
    return question, []


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


def _require_users(columns: Sequence[str], topics: Data | None, history: Data | None) -> None:
    """Raise `InputError` if no table can have the ``columns`` of users."""
    if not columns or topics is not None:
        return
    if history is None:
        raise InputError(
            f"{' and '.join(columns)} must be columns of a table of users: give topics= "
            "(--topics), or history= (--history) with them"
        )
    if can_be_read_once(history):
        raise InputError("this history can be read only once; give by and weight their topics")


def _score(
    tables: Tables, question: Question, about: Topics | None
) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """The scores of each list, those of each run or segment, and notes."""
    keep = cache(lambda call: tables.keep(f"SELECT * FROM {call}"))
    wanted, keys = question.metrics, question.keys
    of_runs = [m for m in wanted if m.metric.is_of_runs]
    of_lists = [m for m in wanted if not m.metric.is_of_runs]
    begin("ranking items")
    depth = find_depth(wanted)
    given = [] if depth is None else [("depth", depth)]
    rankings = keep(write_call("rankings", [tables.named["run"]], given))
    named = {name: table for name, table in tables.named.items() if name != "run"}
    named["rankings"] = rankings
    lists = _count_items(tables, rankings)
    notes = [*_note_lists(tables, lists, depth), *_note_items(tables, wanted)]
    begin("scoring")
    found = _ask(tables, of_lists, named, keep)
    per_query = _join(found, ["run_id", "query_id"]).select(
        "run_id", "query_id", *(m.name for m in of_lists)
    )
    members = lists.select("run_id", "query_id")
    if about:
        users = pl.concat([members, per_query.select("run_id", "query_id")])
        notes += about.describe_missing(users)
        per_query = about.join(per_query)
        segments = about.frame.select("query_id", *about.segments)
        members = members.join(segments, on="query_id", how="left")
    parts = members.select(keys).unique()
    means = [parts]
    if of_lists:
        own = replace(question, metrics=tuple(of_lists))
        means.append(summarize(tables.reader, per_query, own))
    if question.segments and of_runs:
        _refuse(tables, relate_recommended(of_runs, named, keep))
        # the lists of a segment are those of a run that has no others
        parts = parts.with_columns(part=pl.int_range(pl.len()).cast(pl.String))
        numbered = members.join(parts, on=keys, nulls_equal=True)
        numbered = numbered.select("run_id", "query_id", "part")
        named["rankings"] = tables.keep(_DIVIDED.format(rankings, tables.show(numbered)))
        found = (each.rename({"run_id": "part"}) for each in _ask(tables, of_runs, named, keep))
        means += (each.join(parts, on="part").drop("part") for each in found)
    else:
        means += _ask(tables, of_runs, named, keep)
    mean = _join(means, keys).select(*keys, *(m.name for m in wanted))
    require_finite(mean, wanted, "run_id", " or ".join(tables.names))
    return per_query, mean, notes


# A run for each part of the lists.
_DIVIDED = """
    SELECT p.part AS run_id, r.query_id, r.doc_id, r.score, r.rank, r.num_ret
    FROM {} AS r INNER JOIN {} AS p ON r.run_id = p.run_id AND r.query_id = p.query_id
"""


def _ask(
    tables: Tables, wanted: Sequence[Measure], named: dict[str, str], keep: Callable[[str], str]
) -> Iterator[pl.DataFrame]:
    """The scores over each relation; raises `InputError` for rows that it refuses."""
    related = relate_recommended(wanted, named, keep)
    _refuse(tables, related)
    for relation, group in related.groups.items():
        yield tables.ask(select_recommended(relation, group))


def _refuse(tables: Tables, related: Related) -> None:
    """Raise `InputError` for rows of relations that others refuse."""
    for call, check in related.checks.items():
        query = f"SELECT min(c.problem) AS problem, count(*) AS number FROM {call} AS c"
        ((problem, number),) = tables.ask(query).rows()
        if number:
            is_given = tables.named.get("items") != tables.named.get("history")
            remedy = None if is_given else "they are those of the history: give items= (--items)"
            raise write_refusal(check, (), problem, number, remedy)


def _count_items(tables: Tables, rankings: str) -> pl.DataFrame:
    """The lists, how many items each has, and how many of them the user had before."""
    had, join = "0", ""
    if history := tables.named.get("history"):
        had = "count(h.doc_id)"
        join = (
            f"LEFT JOIN (SELECT DISTINCT i.query_id, i.doc_id FROM interactions({history}) AS i) "
            "AS h ON r.query_id = h.query_id AND r.doc_id = h.doc_id"
        )
    return tables.ask(
        f"SELECT r.run_id, r.query_id, count(*) AS items, {had} AS had FROM {rankings} AS r {join} "
        "GROUP BY r.run_id, r.query_id"
    )


def _note_lists(tables: Tables, lists: pl.DataFrame, depth: int | None) -> list[str]:
    """Notes on users without a list, items that users had, and lists shorter than the cut-off."""
    notes = []
    runs = lists["run_id"].unique().sort()
    if history := tables.named.get("history"):
        users = tables.ask(f"SELECT DISTINCT h.query_id FROM interactions({history}) AS h")
        answered = _count(lists.join(users, on="query_id", how="semi"), pl.len())
        missing = {run: users.height - answered.get(run, 0) for run in runs}
        notes += note_runs(
            {run: number for run, number in missing.items() if number},
            f"no list for {{}} of {users.height} users of the history; only UserCoverage counts "
            "them",
        )
        notes += note_runs(
            _count(lists.filter(pl.col("had") > 0), pl.col("had").sum()),
            "users already had {} of the recommended items; leave out those that they would not "
            "want again",
        )
    if depth is not None:
        notes += note_runs(
            _count(lists.filter(pl.col("items") < depth), pl.len()),
            f"fewer than {depth} items in {{}} of its lists; their scores at {depth} are not "
            "comparable with those of longer lists",
        )
    return notes


def _note_items(tables: Tables, wanted: Sequence[Measure]) -> Iterator[str]:
    """Notes on items with several values in a cell, with none, and outside the catalogue."""
    items, history = tables.named.get("items"), tables.named.get("history")

    def count(rows: str) -> tuple[int, ...]:
        query = f"SELECT count(DISTINCT r.doc_id) AS items, count(*) AS number FROM {rows} AS r"
        return tables.ask(query).row(0)

    for read, column in ITEM_COLUMNS.items():
        if not (asked := [m for m in wanted if column in list_item_columns([m])]):
            continue
        number, rows = count(f"listed_items({items})")
        known, _ = count(f"{read}({items})")
        if known < number:
            lack = "vector, or one of zeros," if column == "features" else column
            names = name_some([m.name for m in asked])
            yield f"no {lack} for {number - known} of {number} items; left out of {names}"
        if column != "features" and count(f"{read.replace('item', 'listed')}({items})")[1] > rows:
            yield f"{column} has lists or values with |; such an item has each of their values"
        both = [m.name for m in asked if "history" in m.metric.tables]
        if both and (lost := count(_UNLISTED.format(history, items))[0]):
            names = name_some(both)
            yield f"{lost} items of the history are not among the items; left out of {names}"


_UNLISTED = """(
    SELECT h.doc_id FROM interactions({}) AS h
    LEFT JOIN listed_items({}) AS i ON h.doc_id = i.doc_id WHERE i.doc_id IS NULL
)"""


def _count(lists: pl.DataFrame, number: pl.Expr) -> dict[str, int]:
    return dict(lists.group_by("run_id").agg(number.alias("number")).sort("run_id").rows())


def _join(found: Iterable[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    """The rows of all frames side by side, sorted."""
    parts = [*found]
    if not parts:
        return pl.DataFrame(schema=dict.fromkeys(keys, pl.String))
    joined, *others = parts
    for part in others:
        joined = joined.join(part, on=keys, how="full", coalesce=True, nulls_equal=True)
    return joined.sort(keys)
