"""Statements: the SELECT that computes metrics over judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..catalogue import SqlFile, find, find_file, list_relations, quote
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure, write_call
from ..catalogue.rules import Value
from ..catalogue.summaries import write_summary
from ..errors import MetricError
from ..inputs.columns import (
    HISTORY,
    OPTIONAL_QRELS,
    SUBTOPIC_QRELS,
    Kind,
    name_items,
    quote_name,
)
from .create import list_asked_of_rows, list_calls, list_refused

# DuckDB 2.0 takes seconds to plan more of them in one SELECT.
_EXPECTED_AT_ONCE = 10


@dataclass(frozen=True)
class Segments:
    """Groups of queries that are scored together: per run and, if there are any, these columns.

    ``table`` has a query_id and these columns.
    """

    table: str = ""
    columns: tuple[str, ...] = ()


def build(
    wanted: Sequence[Measure],
    conventions: Conventions,
    definitions: Mapping[str, str] | None = None,
    tables: tuple[str, str] = ("_qrels", "_run"),
    segments: Segments | None = None,
    *,
    shares_ranks: bool = True,
    formulas: Mapping[Measure, str] | None = None,
) -> str:
    """The SELECT of all metrics, per run and query, over two tables named as in SQL.

    The tables are judgments and a run, or exact neighbours and returned ones.

    ``definitions`` are queries by name that precede it. Metrics over the same relation with the
    same arguments become columns of one query over it; several such queries are joined. With
    ``segments``, there is a row per run and segment, over the rows of all its queries. With
    ``shares_ranks``, for macros of the files, relations that rank alike share their ranks.
    ``formulas`` are aggregates over rows ``j`` that stand for calls of the macros of metrics.
    """
    ctes = dict(definitions or {})
    qrels, run = tables
    if definitions is not None and "relevant" in conventions.queries:
        ctes["_counted"] = keep_relevant(qrels, conventions.relevant_from)
        qrels = "_counted"
    names, calls = _relate(wanted, conventions, qrels, run, shares_ranks=shares_ranks)
    ctes |= {name: f"SELECT * FROM {call}" for call, name in names.items()}
    groups: dict[str, list[Measure]] = {}
    for measure, call in zip(wanted, calls, strict=True):
        groups.setdefault(names.get(call, call), []).append(measure)
    queries = []
    for call, group in groups.items():
        relation = call
        if conventions.expects and len(group) > _EXPECTED_AT_ONCE:
            relation = f"_rows_{len(ctes)}"
            ctes[relation] = f"SELECT * FROM {call}"
        step = _EXPECTED_AT_ONCE if conventions.expects else len(group)
        chunks = (group[start : start + step] for start in range(0, len(group), step))
        queries += [
            _select(part, relation, conventions, segments, formulas or {}) for part in chunks
        ]
    keys = ["run_id", *(map(quote_name, segments.columns) if segments else ["query_id"])]
    query = queries[0] + f"\nORDER BY {', '.join(f'{key} ASC' for key in keys)}"
    asked = ["" if segments else _ask_relevant(each, conventions, qrels) for each in wanted]
    relevant = {
        text: f"_relevant_{n}" for n, text in enumerate(filter(None, dict.fromkeys(asked)), 1)
    }
    if len(queries) > 1 or relevant:
        first, *others = parts = [f"_scores_{number}" for number in range(1, len(queries) + 1)]
        ctes |= dict(zip(parts, queries, strict=True))
        ctes |= {name: text for text, name in relevant.items()}
        named = [f"{first}.{key}" for key in keys]
        columns = [
            _choose_column(measure, relevant.get(text), conventions)
            for measure, text in zip(wanted, asked, strict=True)
        ]
        query = _list_columns([*named, *columns]) + f"\nFROM {first}"
        same = "IS NOT DISTINCT FROM" if segments else "="  # a segment may be NULL
        for part in others:
            on = (f"{first}.{key} {same} {part}.{key}" for key in keys)
            query += f"\nJOIN {part} ON {' AND '.join(on)}"
        for part in relevant.values():
            query += f"\nLEFT JOIN {part} ON {first}.query_id = {part}.query_id"
        query += f"\nORDER BY {', '.join(f'{key} ASC' for key in named)}"
    before = ",\n".join(f"{name} AS (\n    {_indent(cte)}\n)" for name, cte in ctes.items())
    return (f"WITH {before}\n" if ctes else "") + query


def build_clicks(wanted: Sequence[Measure], log: str = "log", segments: Sequence[str] = ()) -> str:
    """The SELECT of metrics of clicks over a log, in one row or in one for each segment."""
    keys = [f"j.{quote_name(column)}" for column in segments]
    scores = [f"{m.write_aggregate('j')} AS {quote_name(m.name)}" for m in wanted]
    query = f"{_list_columns([*keys, *scores])}\nFROM clicked({log}) AS j"
    if not keys:
        return query
    order = ", ".join(f"{key} ASC" for key in keys)
    return f"{query}\nGROUP BY {', '.join(keys)}\nORDER BY {order}"


@dataclass(frozen=True)
class Related:
    """What metrics of recommendations are over.

    ``queries`` are named, each before those that read it; ``groups`` are the metrics over each
    relation, ``checks`` those that must find nothing, by their calls over kept rows.
    """

    queries: dict[str, str]
    groups: dict[str, list[Measure]]
    checks: dict[str, SqlFile]


def relate_recommended(
    wanted: Sequence[Measure], tables: Mapping[str, str], keep: Callable[[str], str] | None = None
) -> Related:
    """The relations of some metrics.

    ``tables`` are the names of the tables, or of rows of relations, by their parameters. With
    ``keep``, which names a table with the rows of a call, there are no queries, and lists are as
    long as a cut-off needs.
    """
    relations = _Relations(tables, keep=keep)
    depth = find_depth(wanted) if keep else None
    needed: dict[str, Value] = {} if depth is None else {"depth": depth}
    calls = [relations.call(m.metric.relation, needed | dict(m.arguments)) for m in wanted]
    groups: dict[str, list[Measure]] = {}
    for measure, call in zip(wanted, calls, strict=True):
        groups.setdefault(relations.names.get(call, call), []).append(measure)
    queries = (
        {} if keep else {name: f"SELECT * FROM {call}" for call, name in relations.names.items()}
    )
    return Related(queries, groups, relations.checks)


def find_depth(wanted: Iterable[Measure]) -> int | None:
    """The highest cut-off of some metrics, or None if one is over whole lists."""
    cutoffs = [dict(measure.arguments).get("k") for measure in wanted]
    known = [k for k in cutoffs if isinstance(k, int)]
    return max(known, default=None) if len(known) == len(cutoffs) else None


def select_recommended(relation: str, group: Sequence[Measure]) -> str:
    """The SELECT of metrics over one relation: a row for each list, or for each run."""
    keys = [f"j.{column}" for column in group[0].metric.groups]
    scores = (f"{m.write_aggregate('j')} AS {quote_name(m.name)}" for m in group)
    return f"{_list_columns([*keys, *scores])}\nFROM {relation} AS j\nGROUP BY {', '.join(keys)}"


def build_recommended(
    wanted: Sequence[Measure],
    tables: Mapping[str, str],
    definitions: Mapping[str, str] | None = None,
    *,
    on_duckdb: bool = False,
) -> str:
    """The SELECT of metrics of recommendations, in a row for each run.

    ``definitions`` are queries by name that precede it. Raises `MetricError` for a summary that
    engines have no common aggregate for, unless it is ``on_duckdb``.
    """
    related = relate_recommended(wanted, tables)
    ctes = dict(definitions or {}) | related.queries
    ctes["_runs"] = f"SELECT DISTINCT r.run_id FROM retrieved({tables['run']}) AS r"
    places: dict[Measure, str] = {}
    for number, (relation, group) in enumerate(related.groups.items(), start=1):
        query = select_recommended(relation, group)
        name = f"_means_{number}"
        if not group[0].metric.is_of_runs:
            ctes[f"_scores_{number}"] = query
            summaries = (_summarize(m, on_duckdb=on_duckdb) for m in group)
            query = _list_columns(["s.run_id", *summaries])
            query += f"\nFROM _scores_{number} AS s\nGROUP BY s.run_id"
        ctes[name] = query
        places |= dict.fromkeys(group, name)
    columns = (f"{places[m]}.{quote_name(m.name)}" for m in wanted)
    query = f"{_list_columns(['_runs.run_id', *columns])}\nFROM _runs"
    for name in dict.fromkeys(places.values()):
        query += f"\nLEFT JOIN {name} ON _runs.run_id = {name}.run_id"
    before = ",\n".join(f"{name} AS (\n    {_indent(cte)}\n)" for name, cte in ctes.items())
    return f"WITH {before}\n{query}\nORDER BY _runs.run_id ASC"


def _summarize(measure: Measure, *, on_duckdb: bool) -> str:
    """A run's score from those of its lists, as an aggregate over ``s``."""
    name = quote_name(measure.name)
    written = write_summary(f"s.{name}", measure.summary)
    if written is None and on_duckdb:
        written = write_summary(f"s.{name}", measure.summary, exact=True)
    if written is None:
        raise MetricError(f"{measure.name}: aggregate='{measure.summary}' is not supported in SQL")
    return f"{written} AS {name}"


def list_tables(wanted: Sequence[Measure], given: Collection[str]) -> dict[str, Kind]:
    """The kinds of those of the given tables, other than runs, that metrics read."""
    needed = {table for measure in wanted for table in measure.metric.tables}
    if "items" not in given:  # which are then those of the history
        needed = {"history" if table == "items" else table for table in needed}
    kinds = {"history": HISTORY, "items": name_items(list_item_columns(wanted))}
    # by subtopic, so that a document with several is not taken for a repeated one
    kinds["qrels"] = replace(SUBTOPIC_QRELS, advice=OPTIONAL_QRELS.advice)
    return {name: kind for name, kind in kinds.items() if name in needed and name in given}


def take_items(tables: Mapping[str, str]) -> dict[str, str]:
    """The names of tables by their parameters, where the items may be those of the history."""
    return ({"items": tables["history"]} if "history" in tables else {}) | dict(tables)


def list_table_checks(wanted: Iterable[Measure], table: str) -> list[str]:
    """The checks of a table alone that relations of metrics refuse."""
    names = {name for measure in wanted for name in list_relations(measure.metric.relation)}
    refused = {check for name in names for check in list_refused(find("relations", name))}
    if table == "history":  # which may be there for its items
        refused.add("unusable_history")
    alone = (name for name in refused if [*find_file(name).parameters] == [table])
    return sorted(alone, key=lambda name: (not name.startswith("unusable"), name))


def list_item_columns(wanted: Iterable[Measure]) -> tuple[str, ...]:
    """The columns of the catalogue, besides doc_id, that metrics need."""
    relations = {name for measure in wanted for name in list_relations(measure.metric.relation)}
    called = {macro for name in relations for macro in list_calls(find("relations", name))}
    return tuple(column for macro, column in ITEM_COLUMNS.items() if macro in called)


# The columns of the catalogue besides doc_id, by the macros that read their values.
ITEM_COLUMNS = {
    "item_categories": "category",
    "item_groups": "group_id",
    "item_features": "features",
}


def list_ties(wanted: Iterable[Measure], conventions: Conventions) -> set[Value]:
    """The orders of tied documents that the option and the metrics ask for."""
    return {conventions.ties, *(dict(measure.arguments).get("ties") for measure in wanted)}


def keep_relevant(qrels: str, rel: Value) -> str:
    """The judgments of queries with relevant documents."""
    relevant = (
        f"SELECT {_QUERY_ID} AS query_id FROM {qrels} AS q WHERE {_RELEVANCE} >= {quote(rel)}"
    )
    return f"SELECT * FROM {qrels} AS q\nWHERE {_QUERY_ID} IN ({relevant})"


# Not judgments(…), which cannot be nested.
_QUERY_ID, _RELEVANCE = "CAST(query_id AS VARCHAR) COLLATE C", "CAST(relevance AS DOUBLE)"


def _select(
    group: Iterable[Measure],
    relation: str,
    conventions: Conventions,
    segments: Segments | None,
    formulas: Mapping[Measure, str],
) -> str:
    prefix = "expected_" if conventions.expects else ""
    scores = (
        f"{formulas.get(m) or m.write_aggregate('j', prefix)} AS {quote_name(m.name)}"
        for m in group
    )
    keys = ["j.run_id", "j.query_id"]
    query = f"FROM {relation} AS j"
    if segments:
        keys = ["j.run_id", *(f"t.{quote_name(column)}" for column in segments.columns)]
        if segments.columns:
            query += f"\nLEFT JOIN {segments.table} AS t ON j.query_id = t.query_id"
    if "answered" in conventions.queries:
        query += "\nWHERE j.has_results = 1"
    return f"{_list_columns([*keys, *scores])}\n{query}\nGROUP BY {', '.join(keys)}"


def _ask_relevant(measure: Measure, conventions: Conventions, qrels: str) -> str:
    """The queries with relevant documents, if the others get the score of ``no_relevant``."""
    metric = measure.metric
    if (
        not conventions.no_relevant
        or metric.is_summed
        or metric.file.header.get("no relevant") != "0"
    ):
        return ""
    arguments = dict(measure.arguments)
    gains = quote(arguments.get("gains"))
    is_relevant = (
        f"{_RELEVANCE} >= {quote(arguments.get('rel', 1))}"
        if "rel" in metric.parameters
        else f"mapped_gain({_RELEVANCE}, {gains}) > 0"
    )
    return f"SELECT DISTINCT {_QUERY_ID} AS query_id FROM {qrels} AS q WHERE {is_relevant}"


def _choose_column(measure: Measure, relevant: str | None, conventions: Conventions) -> str:
    """The score, or ``no_relevant`` for a query without relevant documents."""
    name = quote_name(measure.name)
    if relevant is None:
        return name
    no_relevant = quote(float(conventions.no_relevant))
    return f"CASE WHEN {relevant}.query_id IS NULL THEN {no_relevant} ELSE {name} END AS {name}"


def _relate(
    wanted: Sequence[Measure],
    conventions: Conventions,
    qrels: str,
    run: str,
    *,
    shares_ranks: bool,
) -> tuple[dict[str, str], list[str]]:
    """The calls of the measures' relations, and names by call for the relations below them."""
    tables = {"qrels": qrels, "run": run, "exact": qrels, "found": run}
    relations = _Relations(tables)
    calls = [relations.call(m.metric.relation, conventions.give(m.arguments)) for m in wanted]
    if shares_ranks and len(relations.rankings) > 1:
        by_subtopic = any(m.metric.is_by_subtopic for m in wanted)
        relations = _Relations(tables, shares_ranks=True, by_subtopic=by_subtopic)
        calls = [relations.call(m.metric.relation, conventions.give(m.arguments)) for m in wanted]
    return relations.names, calls


# Relations that rank, and their counterparts over shared ranks.
_OVER_RANKS = {"judged": "counted", "subtopics": "ranked_subtopics"}


@dataclass
class _Relations:
    """Calls of relations; one that is the input of another comes before it as a named query.

    ``keep`` names a table with the rows of a call, which is created then; ``checks`` are those that
    relations refuse of such rows.
    """

    tables: Mapping[str, str]
    shares_ranks: bool = False
    by_subtopic: bool = False
    keep: Callable[[str], str] | None = None
    names: dict[str, str] = field(default_factory=dict)
    rankings: set[str] = field(default_factory=set)
    checks: dict[str, SqlFile] = field(default_factory=dict)

    def call(self, relation: str, arguments: Mapping[str, Value]) -> str:
        if self.shares_ranks:
            relation = _OVER_RANKS.get(relation, relation)
        file = find("relations", relation)
        statement = file.statement
        inputs = [self._find_input(name, relation, arguments) for name in statement.inputs]
        if self.keep:
            named = dict(zip(statement.inputs, inputs, strict=True))
            for check, asked in list_asked_of_rows(file):
                own = [(key, arguments[key]) for key in check.parameters if key in arguments]
                call = write_call(check.name, (named[name] for name in asked), own)
                self.checks[call] = check
        given = [(key, arguments[key]) for key in statement.parameters if key in arguments]
        call = write_call(relation, inputs, given)
        if relation in _OVER_RANKS:
            self.rankings.add(call)
        return call

    def _find_input(self, name: str, relation: str, arguments: Mapping[str, Value]) -> str:
        if name == "qrels" and relation == "restricted" and self.by_subtopic:
            self.names[f"judgments_once({self.tables['qrels']})"] = "_documents"
            return "_documents"
        return self.tables[name] if name in self.tables else self._name(name, arguments)

    def _name(self, relation: str, arguments: Mapping[str, Value]) -> str:
        call = self.call(relation, arguments)
        if call not in self.names and self.keep:
            self.names[call] = self.keep(call)
        if call not in self.names:
            number = sum(
                name.rstrip("_0123456789") == f"_{relation}" for name in self.names.values()
            )
            self.names[call] = f"_{relation}_{number + 1}" if number else f"_{relation}"
        return self.names[call]


def _list_columns(columns: Iterable[str]) -> str:
    return "SELECT\n    " + ",\n    ".join(columns)


def _indent(query: str) -> str:
    return query.replace("\n", "\n    ")
