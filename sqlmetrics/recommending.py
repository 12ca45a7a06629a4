"""Scores of recommendations beyond accuracy: coverage, popularity, diversity, calibration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import polars as pl

from .catalogue import macros
from .catalogue.conventions import Conventions
from .catalogue.measures import Measure, write_call
from .engine.checks import require_finite, require_one_run, write_refusal
from .engine.coverage import note_runs
from .engine.given import read_tables, take_runs
from .engine.interface import Engine, Given
from .engine.session import Part, Request, Session, join_scores, order_runs, summarize
from .errors import InputError, MetricError
from .inputs.columns import KINDS, OPTIONAL_QRELS, SUBTOPIC_QRELS, Kind, name_items
from .inputs.data import Data, name_some
from .inputs.frames import require_again
from .inputs.tables import Topics
from .macros.create import list_needs
from .macros.statements import (
    Related,
    build,
    find_depth,
    list_item_columns,
    relate,
    select,
    take_items,
)
from .progress import begin, warn
from .translate.dialects import write_plain

# What is scored when no metric is named, as far as the tables for it are given.
DEFAULT_METRICS = (
    "ItemCoverage@10 Gini@10 Personalization@10 UserCoverage Novelty@10 ARP@10 Overlap@10 "
    "Serendipity@10"
)


def score_lists(
    request: Request,
    given: Mapping[str, Any],
    topics: Data | None,
    session: Session | None,
    place: Engine,
) -> Part:
    """The scores of lists.

    ``given`` has the tables that there are, ``session`` what it has read of them for metrics of
    runs.
    """
    history, wanted = given.get("history"), request.metrics
    if session is None:
        _require_users(request.topic_columns, topics, history)
    if place.dialect:
        for measure in {each.metric: each for each in wanted}.values():  # summarized here
            write_plain(Request((replace(measure, aggregate=None),)), place.dialect)
    kinds = _list_kinds(wanted, given)
    tables = {name: given[name] for name in kinds}
    known = {"run": take_runs(place, session.runs)} if session else {}
    if session and "qrels" in tables:
        tables["qrels"] = session.judgments
    once = [measure.name for measure in wanted if "qrels" in measure.metric.tables]
    read = read_tables(place, tables, kinds, known=known, once=once)
    if "baseline" in read:
        require_one_run("the baseline", read["baseline"].run_ids)
    about = None
    if request.topic_columns:
        users = history if topics is None else topics
        about = (session and session.topics) or place.read_topics(
            users, request.segments, request.weight
        )
    per_query, mean, remarks = _score(place, read, request, about)
    warn(place.notes)
    named = take_items({name: f"_{name}" for name in read})
    try:
        written = place.write(build(wanted, named, on_duckdb=not place.dialect), read)
    except MetricError:  # Spark does not have an aggregate of the scores
        written = ""
    run_ids = read["run"].run_ids
    notes = [*place.notes, *remarks]
    return Part(order_runs(per_query, run_ids), order_runs(mean, run_ids), written, notes)


def _list_kinds(wanted: Sequence[Measure], given: Collection[str]) -> dict[str, Kind]:
    """The kinds of those of the given tables that metrics read."""
    needed = {table for measure in wanted for table in measure.metric.tables}
    if "items" not in given:  # which are then those of the history
        needed = {"history" if table == "items" else table for table in needed}
    kinds = {
        **KINDS,
        "items": name_items(list_item_columns(wanted)),
        # by subtopic, so that a document with several is not taken for a repeated one
        "qrels": replace(SUBTOPIC_QRELS, advice=OPTIONAL_QRELS.advice),
    }
    return {name: kind for name, kind in kinds.items() if name in needed and name in given}


def _require_users(columns: Sequence[str], topics: Data | None, history: Data | None) -> None:
    """Raise `InputError` if no table can have the ``columns`` of users."""
    if not columns or topics is not None:
        return
    if history is None:
        raise InputError(
            f"no table of users with {' and '.join(columns)}: give topics= (--topics), or history= "
            "(--history) with these columns"
        )
    require_again(history, "this history", "give by and weight their topics")


def _score(
    place: Engine, read: Mapping[str, Given], request: Request, about: Topics | None
) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """The scores of each list, those of each run or segment, and notes."""
    named = take_items({name: each.table for name, each in read.items()})
    keep = cache(lambda call: place.create(f"SELECT * FROM {call}", "duckdb"))
    wanted, keys = request.metrics, request.keys
    of_runs = [m for m in wanted if m.metric.is_of_runs]
    of_lists = [m for m in wanted if not m.metric.is_of_runs]
    begin("ranking items")
    depth = find_depth(wanted)
    ranked = Conventions(depth=depth)
    rankings = keep(write_call("rankings", [named.pop("run")], ranked.arguments))
    named["rankings"] = rankings
    lists = _count_items(place, named, rankings)
    notes = [*_note_lists(place, named, lists, depth), *_note_items(place, named, wanted)]
    begin("scoring")
    found = _ask(place, of_lists, named, ranked, keep)
    no_lists = pl.DataFrame(schema=dict.fromkeys(("run_id", "query_id"), pl.String))
    per_query = join_scores([no_lists, *found], no_lists.columns).select(
        *no_lists.columns, *(m.name for m in of_lists)
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
        own = replace(request, metrics=tuple(of_lists))
        means.append(summarize(place.open_here(), per_query, own))
    if request.segments and of_runs:
        _refuse(place, named, relate(of_runs, named, ranked, keep))
        # the lists of a segment are those of a run that has no others
        parts = parts.with_columns(part=pl.int_range(pl.len()).cast(pl.String))
        numbered = members.join(parts, on=keys, nulls_equal=True)
        numbered = numbered.select("run_id", "query_id", "part")
        named["rankings"] = place.create(_DIVIDED.format(rankings, place.register(numbered)))
        found = (
            each.rename({"run_id": "part"}) for each in _ask(place, of_runs, named, ranked, keep)
        )
        means += (each.join(parts, on="part").drop("part") for each in found)
    else:
        means += _ask(place, of_runs, named, ranked, keep)
    mean = join_scores(means, keys).select(*keys, *(m.name for m in wanted))
    require_finite(mean, wanted, "run_id", " or ".join(each.name for each in read.values()))
    return per_query, mean, notes


# A run for each part of the lists.
_DIVIDED = """
    SELECT p.part AS run_id, r.query_id, r.doc_id, r.score, r.rank, r.num_ret
    FROM {} AS r INNER JOIN {} AS p ON r.run_id = p.run_id AND r.query_id = p.query_id
"""


def _ask(
    place: Engine,
    wanted: Sequence[Measure],
    named: dict[str, str],
    ranked: Conventions,
    keep: Callable[[str], str],
) -> Iterator[pl.DataFrame]:
    """The scores over each relation; raises `InputError` for rows that it refuses."""
    related = relate(wanted, named, ranked, keep)
    _refuse(place, named, related)
    for relation, group in related.groups.items():
        yield place.run(select(group, relation))


def _refuse(place: Engine, named: Mapping[str, str], related: Related) -> None:
    """Raise `InputError` for rows of relations that others refuse."""
    for call, check in related.checks.items():
        query = f"SELECT min(c.problem) AS problem, count(*) AS number FROM {call} AS c"
        ((problem, number),) = place.run(query).rows()
        if number:
            is_given = named.get("items") != named.get("history")
            remedy = None if is_given else "they are those of the history: give items= (--items)"
            raise write_refusal(check, (), problem, number, remedy)


def _count_items(place: Engine, named: Mapping[str, str], rankings: str) -> pl.DataFrame:
    """The lists, how many items each has, and how many of them the user had before."""
    had = f"interactions({named['history']})" if "history" in named else f"{rankings} LIMIT 0"
    return place.run(f"""
        SELECT r.run_id, r.query_id, count(*) AS items, count(h.doc_id) AS had
        FROM {rankings} AS r LEFT JOIN (SELECT DISTINCT query_id, doc_id FROM {had}) AS h
            ON r.query_id = h.query_id AND r.doc_id = h.doc_id
        GROUP BY r.run_id, r.query_id""")


def _note_lists(
    place: Engine, named: Mapping[str, str], lists: pl.DataFrame, depth: int | None
) -> Iterator[str]:
    """Notes on users without a list, items that users had, and lists shorter than the cut-off."""
    users = pl.Series([], dtype=pl.String)
    if history := named.get("history"):
        users = place.run(f"SELECT DISTINCT query_id FROM interactions({history})").to_series()
    answered = pl.col("query_id").is_in(users.implode()).sum()
    notes = {
        f"no list for {{}} of {users.len()} users of the history; only UserCoverage counts "
        "them": users.len() - answered,
        "users already had {} of the recommended items; leave out those that they would not "
        "want again": pl.col("had").sum(),
        f"fewer than {depth} items in {{}} of its lists; their scores at {depth} are not "
        "comparable with those of longer lists": (pl.col("items") < (depth or 0)).sum(),
    }
    for note, number in notes.items():
        numbers = lists.group_by("run_id").agg(number=number).sort("run_id")
        yield from note_runs(dict(numbers.rows()), note)


def _note_items(
    place: Engine, named: Mapping[str, str], wanted: Sequence[Measure]
) -> Iterator[str]:
    """Notes on items with several values in a cell, with none, and outside the catalogue."""
    items, history = named.get("items"), named.get("history")

    def count(rows: str) -> tuple[int, ...]:
        query = f"SELECT count(DISTINCT r.doc_id) AS items, count(*) AS number FROM {rows} AS r"
        return place.run(query).row(0)

    for column in list_item_columns(wanted):
        asked = [m for m in wanted if column in list_item_columns([m])]
        reading = (n for n, file in macros().items() if column in list_needs(file).get("items", ()))
        read = next(name for name in reading if name.startswith("item_"))
        number, rows = count(f"listed_items({items})")
        known, _ = count(f"{read}({items})")
        if known < number:
            lack = "vector, or one of zeros," if column == "features" else column
            lacked = f"no {lack} for {number - known} of {number} items"
            yield f"{lacked}; left out of {name_some([m.name for m in asked])}"
        if column != "features" and count(f"{read.replace('item', 'listed')}({items})")[1] > rows:
            yield f"{column} has lists or values with |; such an item has each of their values"
        both = name_some([m.name for m in asked if "history" in m.metric.tables])
        lost = f"SELECT doc_id FROM interactions({history}) EXCEPT FROM listed_items({items})"
        if both and (number := count(f"({lost})")[0]):
            yield f"{number} items of the history are not among the items; left out of {both}"
