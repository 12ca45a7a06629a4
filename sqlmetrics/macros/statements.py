"""Statements: the SELECT that computes metrics over judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..catalogue import INPUTS, Metric, SqlFile, find_file, list_inputs, list_relations, quote
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..catalogue.rules import Value
from ..catalogue.summaries import write_summary
from ..errors import MetricError
from ..inputs.columns import quote_name
from ..inputs.tables import is_self
from .create import (
    find_relation,
    indent,
    list_needs,
    list_refused,
    match_checks,
    write_without,
)

# DuckDB 2.0 takes seconds to plan more of them in one SELECT.
_EXPECTED_AT_ONCE = 10


@dataclass(frozen=True)
class Segments:
    """Groups of queries that are scored together: per run and, if there are any, these columns.

    ``table`` has a query_id and these columns; they are those of the log for metrics of clicks.
    """

    table: str = ""
    columns: tuple[str, ...] = ()


def build(
    wanted: Sequence[Measure],
    tables: Mapping[str, str],
    conventions: Conventions | None = None,
    definitions: Mapping[str, str] | None = None,
    segments: Segments | None = None,
    *,
    shares_ranks: bool = True,
    formulas: Mapping[Measure, str] | None = None,
    on_duckdb: bool = False,
    is_one_run: bool = False,
) -> str:
    """The SELECT of metrics of one kind over ``tables``, which are named as in SQL.

    It has a row per run and query; with ``segments`` per run and segment, over the rows of all its
    queries. Metrics of clicks have one row or one per segment, those of recommendations one per
    run.

    ``definitions`` are queries by name that precede it. Metrics over the same relation with the
    same arguments become columns of one query over it; several such queries are joined. With
    ``shares_ranks``, for macros of the files, relations that rank alike share their ranks.
    ``formulas`` are aggregates over rows ``j`` that stand for calls of the macros of metrics.
    With ``is_one_run``, its means are not joined to the names of runs. Raises `MetricError` for a
    summary that engines have no common aggregate for, unless it is ``on_duckdb``.
    """
    conventions = conventions or Conventions()
    first, ctes, tables = wanted[0].metric, dict(definitions or {}), dict(tables)
    if definitions is not None and "relevant" in conventions.queries:
        ctes["_counted"] = keep_relevant(tables["qrels"], conventions.relevant_from)
        tables["qrels"] = "_counted"
    related = relate(wanted, tables, conventions, shares_ranks=shares_ranks)
    ctes |= related.queries
    if first.kind == "recommendations":
        run = None if is_one_run else tables["run"]
        return _join_means(related, wanted, ctes, run, on_duckdb=on_duckdb)
    keys = ["j.run_id", "j.query_id"] if segments is None else ["j.run_id"]
    more = ""
    if first.kind == "clicks":
        keys = [f"j.{quote_name(column)}" for column in segments.columns] if segments else []
    elif segments and segments.columns:
        keys += [f"t.{quote_name(column)}" for column in segments.columns]
        more = f"\nLEFT JOIN {segments.table} AS t ON j.query_id = t.query_id"
    if "answered" in conventions.queries:
        more += "\nWHERE j.has_results = 1"
    prefix = "expected_" if conventions.expects else ""
    queries = []
    for relation, group in related.groups.items():
        step = _EXPECTED_AT_ONCE if conventions.expects else len(group)
        if len(group) > step:
            kept = f"_rows_{len(ctes)}"
            ctes[kept] = f"SELECT * FROM {relation}"
            relation = kept
        for start in range(0, len(group), step):
            part = group[start : start + step]
            queries.append(select(part, relation, keys, more, formulas, prefix))
    keys = [key.partition(".")[2] for key in keys]
    asked = ["" if segments else _ask_relevant(each, conventions, tables) for each in wanted]
    relevant = {
        text: f"_relevant_{n}" for n, text in enumerate(filter(None, dict.fromkeys(asked)), 1)
    }
    if len(queries) == 1 and not relevant:
        return _write(ctes, queries[0], keys)
    parts = {f"_scores_{number}": query for number, query in enumerate(queries, start=1)}
    ctes |= parts | {name: text for text, name in relevant.items()}
    columns = [
        _choose_column(measure, relevant.get(text), conventions)
        for measure, text in zip(wanted, asked, strict=True)
    ]
    same = "IS NOT DISTINCT FROM" if segments else "="  # a segment may be NULL
    return _join(ctes, columns, keys, [*parts], [*relevant.values()], same)


def define(
    tables: Mapping[str, str], conventions: Conventions
) -> tuple[dict[str, str], Conventions, dict[str, str]]:
    """What `build` takes for tables whose run is not yet as the conventions have it.

    ``tables`` have the documents to exclude as ``exclude``.
    """
    tables, definitions = dict(tables), {}
    if conventions.exclude is not None:
        exclude = None if is_self(conventions.exclude) else tables["exclude"]
        definitions["_kept"] = write_without(tables["run"], exclude)
        tables["run"] = "_kept"
    if conventions.score_type == "float32":
        narrow = "SELECT r.* REPLACE (CAST(r.score AS FLOAT) AS score)"
        definitions["_narrow"] = f"{narrow} FROM {tables['run']} AS r"
        tables["run"] = "_narrow"
    return tables, conventions, definitions


def _join_means(
    related: Related,
    wanted: Sequence[Measure],
    ctes: dict[str, str],
    run: str | None,
    *,
    on_duckdb: bool,
) -> str:
    """The SELECT of metrics of recommendations, in a row for each run, or for the only one."""
    places: dict[Measure, str] = {}
    for number, (relation, group) in enumerate(related.groups.items(), start=1):
        query = select(group, relation)
        name = f"_means_{number}"
        if not group[0].metric.is_of_runs:
            ctes[f"_scores_{number}"] = query
            summaries = (_summarize(m, on_duckdb=on_duckdb) for m in group)
            query = _list_columns(["s.run_id", *summaries])
            query += f"\nFROM _scores_{number} AS s\nGROUP BY s.run_id"
        ctes[name] = query
        places |= dict.fromkeys(group, name)
    columns = [f"{places[m]}.{quote_name(m.name)}" for m in wanted]
    means = [*dict.fromkeys(places.values())]
    if run is None:
        return _write(ctes, f"{_list_columns(columns)}\nFROM {' CROSS JOIN '.join(means)}", [])
    ctes["_runs"] = f"SELECT DISTINCT r.run_id FROM retrieved({run}) AS r"
    return _join(ctes, columns, ["run_id"], ["_runs"], means)


def _join(
    ctes: Mapping[str, str],
    columns: Sequence[str],
    keys: Sequence[str],
    tables: Sequence[str],
    others: Iterable[str] = (),
    same: str = "=",
) -> str:
    """The SELECT of columns of tables with the same keys, and of others that may lack a row.

    Those have the last key alone.
    """
    first, *more = tables
    named = [f"{first}.{key}" for key in keys]
    query = _list_columns([*named, *columns]) + f"\nFROM {first}"
    for part in more:
        on = (f"{first}.{key} {same} {part}.{key}" for key in keys)
        query += f"\nJOIN {part} ON {' AND '.join(on)}"
    for part in others:
        query += f"\nLEFT JOIN {part} ON {named[-1]} = {part}.{keys[-1]}"
    return _write(ctes, query, named)


def _write(ctes: Mapping[str, str], query: str, keys: Sequence[str]) -> str:
    """A query in the order of its keys, after those that it reads."""
    before = ",\n".join(f"{name} AS (\n    {indent(cte)}\n)" for name, cte in ctes.items())
    order = ", ".join(f"{key} ASC" for key in keys)
    return f"WITH {before}\n" * bool(ctes) + query + f"\nORDER BY {order}" * bool(keys)


def select(
    group: Sequence[Measure],
    relation: str,
    keys: Sequence[str] | None = None,
    more: str = "",
    formulas: Mapping[Measure, str] | None = None,
    prefix: str = "",
) -> str:
    """The SELECT of metrics over one relation, in a row for each of what they are scores of."""
    if keys is None:
        keys = [f"j.{column}" for column in group[0].metric.groups]
    known = formulas or {}
    scores = (
        f"{known.get(m) or m.write_aggregate('j', prefix)} AS {quote_name(m.name)}" for m in group
    )
    query = f"{_list_columns([*keys, *scores])}\nFROM {relation} AS j{more}"
    return query + f"\nGROUP BY {', '.join(keys)}" * bool(keys)


def write_own_table(file: SqlFile) -> tuple[dict[str, str | None], str] | None:
    """The query by which a metric or a method of fusion is a table macro, too, if it is one.

    Returned are its parameters and its text.
    """
    is_metric = file.folder == "metrics"
    if not is_metric and (file.folder != "fusion" or "relation" not in file.header):
        return None
    relation = find_relation(file)
    keys = Metric(file).groups if is_metric else find_file(relation).list_names("groups")
    rows, *own = file.parameters
    tables: dict[str, str | None] = dict.fromkeys(list_inputs(relation))
    options: dict[str, str | None] = {
        name: default
        for each in reversed(list_relations(relation))
        for name, default in find_file(each).parameters.items()
        if default is not None
    }
    relations = _Relations({name: name for name in tables})
    source = relations.call(relation, {name: name for name in options})
    ctes = [f"    {n} AS MATERIALIZED (SELECT * FROM {c})" for c, n in relations.names.items()]
    score = file.call([rows], {name: name for name in own})
    grouped = ", ".join(f"{rows}.{column}" for column in keys)
    query = f"SELECT {grouped}, {score} AS {file.name if is_metric else 'score'}\n"
    query += f"FROM {source} AS {rows}\nGROUP BY {grouped}"
    before = "WITH\n" + ",\n".join(ctes) + "\n" if ctes else ""
    given = {name: file.parameters[name] for name in own}
    return tables | (given | options if is_metric else options | given), before + query


@dataclass(frozen=True)
class Related:
    """What metrics are over.

    ``queries`` are named, each before those that read it; ``groups`` are the metrics over each
    relation, ``checks`` those that must find nothing, by their calls over kept rows.
    """

    queries: dict[str, str]
    groups: dict[str, list[Measure]]
    checks: dict[str, SqlFile]


def relate(
    wanted: Sequence[Measure],
    tables: Mapping[str, str],
    conventions: Conventions,
    keep: Callable[[str], str] | None = None,
    *,
    shares_ranks: bool = False,
) -> Related:
    """The relations of some metrics.

    ``tables`` are the names of the tables, or of rows of relations, by their parameters. With
    ``keep``, which names a table with the rows of a call, there are no queries.
    """
    given = [
        {key: quote(value) for key, value in conventions.give(m.arguments).items()} for m in wanted
    ]

    def call_all(relations: _Relations) -> list[str]:
        listed = zip(wanted, given, strict=True)
        return [relations.call(m.metric.relation, own) for m, own in listed]

    relations = _Relations(tables, keep=keep)
    calls = call_all(relations)
    if shares_ranks and len(relations.rankings) > 1:
        by_subtopic = any(m.metric.is_by_subtopic for m in wanted)
        relations = _Relations(tables, shares_ranks=True, by_subtopic=by_subtopic)
        calls = call_all(relations)
    groups: dict[str, list[Measure]] = {}
    for measure, call in zip(wanted, calls, strict=True):
        groups.setdefault(relations.names.get(call, call), []).append(measure)
    queries = {name: f"SELECT * FROM {call}" for call, name in relations.names.items()}
    return Related({} if keep else queries, groups, relations.checks)


def _summarize(measure: Measure, *, on_duckdb: bool) -> str:
    """A run's score from those of its lists, as an aggregate over ``s``."""
    name = quote_name(measure.name)
    written = write_summary(f"s.{name}", measure.summary)
    if written is None and on_duckdb:
        written = write_summary(f"s.{name}", measure.summary, exact=True)
    if written is None:
        raise MetricError(f"{measure.name}: aggregate='{measure.summary}' is not supported in SQL")
    return f"{written} AS {name}"


def find_depth(wanted: Iterable[Measure]) -> int | None:
    """The highest cut-off of some metrics, or None if one is over whole lists."""
    cutoffs = [dict(measure.arguments).get("k") for measure in wanted]
    known = [k for k in cutoffs if isinstance(k, int)]
    return max(known, default=None) if len(known) == len(cutoffs) else None


def take_items(tables: Mapping[str, str]) -> dict[str, str]:
    """The names of tables by their parameters, where the items may be those of the history."""
    return ({"items": tables["history"]} if "history" in tables else {}) | dict(tables)


def list_item_columns(wanted: Iterable[Measure]) -> tuple[str, ...]:
    """The columns of the catalogue, besides doc_id, that metrics need."""
    relations = (name for measure in wanted for name in list_relations(measure.metric.relation))
    needed = (list_needs(find_file(name)).get("items", {}) for name in relations)
    return tuple(sorted({column for each in needed for column in each} - {"doc_id"}))


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


def _ask_relevant(measure: Measure, conventions: Conventions, tables: Mapping[str, str]) -> str:
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
    return (
        f"SELECT DISTINCT {_QUERY_ID} AS query_id FROM {tables['qrels']} AS q WHERE {is_relevant}"
    )


def _choose_column(measure: Measure, relevant: str | None, conventions: Conventions) -> str:
    """The score, or ``no_relevant`` for a query without relevant documents."""
    name = quote_name(measure.name)
    if relevant is None:
        return name
    no_relevant = quote(float(conventions.no_relevant))
    return f"CASE WHEN {relevant}.query_id IS NULL THEN {no_relevant} ELSE {name} END AS {name}"


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

    def call(self, relation: str, arguments: Mapping[str, str]) -> str:
        """The call of a relation with its inputs, and those arguments that it takes."""
        if self.shares_ranks:
            relation = _OVER_RANKS.get(relation, relation)
        file = find_file(relation)
        inputs = {name: self._find_input(name, relation, arguments) for name in file.inputs}
        for check, asked in match_checks(list_refused(file), inputs) if self.keep else ():
            if [*asked] == check.inputs and not {*asked} <= {*INPUTS}:  # of another's rows
                self.checks[check.call([inputs[name] for name in asked], arguments)] = check
        call = file.call(inputs.values(), arguments)
        if relation in _OVER_RANKS:
            self.rankings.add(call)
        return call

    def _find_input(self, name: str, relation: str, arguments: Mapping[str, str]) -> str:
        if name == "qrels" and relation == "restricted" and self.by_subtopic:
            self.names[f"judgments_once({self.tables['qrels']})"] = "_documents"
            return "_documents"
        return self.tables[name] if name in self.tables else self._name(name, arguments)

    def _name(self, relation: str, arguments: Mapping[str, str]) -> str:
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
