"""Scripts: the SQL of metrics, to paste into a shell or to run on another engine."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from inspect import signature
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from .catalogue import find_file, list_relations, parsing
from .catalogue.conventions import Conventions, choose
from .engine.session import Request
from .errors import InputError, MetricError, read_names, require_dict, require_name, require_truth
from .inputs.columns import quote_name
from .macros.calls import find_calls, list_called
from .macros.create import sort_files
from .macros.install import call_installed, write_removal, write_script
from .macros.statements import Segments, build, define
from .score import Aggregate, make_request

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .catalogue.conventions import ConventionOptions


def sql(
    metrics: str | Iterable[str] | None = None,
    dialect: str | None = None,
    *,
    conventions: Conventions | None = None,
    qrels: str | PathLike[str] = "qrels",
    run: str | PathLike[str] = "run",
    log: str | PathLike[str] = "log",
    history: str | PathLike[str] = "history",
    items: str | PathLike[str] = "items",
    baseline: str | PathLike[str] = "baseline",
    columns: Mapping[str, str] | None = None,
    aggregate: Aggregate | None = None,
    mean: bool = False,
    names: Literal["snake"] | None = None,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: str | None = None,
    schema: str | None = None,
    select: bool = True,
    remove: bool = False,
    checks: bool = False,
    dbt: bool = False,
    **options: Unpack[ConventionOptions],
) -> str:
    """The SQL of some metrics, to paste: macros and a SELECT that uses them, or one plain SELECT.

    - ``metrics``: as for `evaluate`, or a SELECT over the macros, such as ``"FROM roc_curve(qrels,
      run)"``, in which judgments, runs and logs are names of tables. A SELECT takes ``dialect``,
      ``columns``, ``schema`` and ``select``. Without any, the script has all macros, for ``duckdb
      -init``.
    - ``conventions``: as for `evaluate`, also as keywords.
    - ``dialect``: an engine such as ``"postgres"`` or ``"bigquery"``, for a SELECT that needs no
      macros. ``sqlmetrics sql --help`` lists them.
    - ``qrels``: the table of judgments, or of exact neighbours, as the engine writes its name.
    - ``run``: the table of the run or runs, or of the neighbours that an index returned.
    - ``log``: the table of clicks, for metrics of these.
    - ``history``: what users had before, for metrics of recommendations.
    - ``items``: the items of a catalogue, for metrics of recommendations.
    - ``baseline``: the run to compare with, for metrics of recommendations.
    - ``columns``: which of their columns is which: ``{"doc_id": "sku", "run_id": "system"}``. Plain
      SQL knows runs only if you name a run_id, and subtopics only if you name a subtopic.
    - ``mean``: a row for each run, not for each of its queries. With ``by``, there is one for each
      run and segment; ``topics`` is the table of queries that has the columns ``by`` and
      ``weight``. These and ``aggregate`` are for plain SQL.
    - ``names``: ``"snake"`` for columns in plain SQL that need no quotes: ``ndcg_10``.
    - ``schema``: create the macros in this schema; call them as ``lab.ndcg(j)``.
    - ``select``: whether the script of some metrics ends with a SELECT; without it, it is for
      ``duckdb -init``, as that of all macros.
    - ``remove``: the script that removes all macros.
    - ``checks``: in place of the scores, one plain SELECT of what makes the macros refuse the same
      tables, a row for each problem with its check and ids. Without ``dialect`` it is for DuckDB.
    - ``dbt``: a model of dbt in the ``dialect``, or with ``checks`` a test of its inputs. A table
      ``runs`` is that of a model or seed, ``raw.runs`` that of a source.

    A plain SELECT ends without a semicolon, as drivers want it. It refuses nothing: run that of
    ``checks`` first.

    Raises `MetricError` for a metric or parameter that does not exist, or that the engine cannot
    compute, `InputError` for a convention, dialect or name that does not exist, for a SELECT that
    cannot be read, and for options without metrics.

    >>> "ndcg(j, k := 10)" in sql("nDCG@10")
    True
    >>> "FROM lab.run" in sql("NumRet", dialect="postgres", run="lab.run")
    True
    >>> "row_number()" in sql("FROM to_judge(qrels, run)", dialect="postgres")
    True
    """
    given: dict[str, Any] = {**locals()}
    conventions = choose(conventions, given.pop("options"))
    if dialect is not None and not select:
        raise InputError("with a dialect there is only a SELECT; leave out dialect or select")
    for name in _TABLES:
        if not isinstance(given[name], str | PathLike):
            raise InputError(f"table must be a name, not {given[name]!r:.80}")
    tables = {name: str(given[name]) for name in _TABLES}
    require_truth(mean=mean, select=select, remove=remove, checks=checks, dbt=dbt)
    whats = {"dialect": "an engine", "aggregate": "a mean", "weight": "a column"}
    for name, what in (whats | {"topics": "a table"}).items():
        require_name(name, given[name], what)
    columns = require_dict("columns", columns, "{'doc_id': 'sku'}")
    by = read_names("by", by)
    exclude = conventions.exclude
    if not isinstance(exclude, str | PathLike | None):
        raise InputError(f"exclude must be 'self' or the name of a table, not {exclude!r:.80}")
    if conventions.grades or conventions.repeated == "first":
        raise InputError("sql takes no grades or repeated: name a view with numbers and no repeats")
    is_usual = conventions == Conventions() and exclude is None
    given |= {"columns": columns or None, "by": (*by,), "conventions": None if is_usual else "own"}
    usual = {name: parameter.default for name, parameter in signature(sql).parameters.items()}
    asked = {name for name, value in (given | tables).items() if value != usual[name]}
    if metrics is None:
        if asked - {"schema", "select", "remove"}:
            raise MetricError("no metrics; name at least one, such as 'nDCG@10 AP'")
        return write_removal(schema) if remove else write_script(sort_files(), schema)
    if remove:
        raise InputError("remove drops all macros; it takes no metrics")
    if dbt:
        if dialect is None:
            raise InputError("dbt needs the dialect of the database, such as 'duckdb'")
        from .translate.features import IN_DBT

        dialect += IN_DBT
    tables |= {"exact": tables["qrels"], "found": tables["run"], "exclude": str(exclude)}
    kind = "checks" if checks else _find_kind(metrics)
    refused, message = _REFUSED.get(kind, ((), ""))
    if asked.intersection(refused):
        raise InputError(message)
    if checks:
        text = _write_checks(metrics, dialect or "duckdb", tables, columns)
        # dbt then says where it left the rows
        return f"{{{{ config(store_failures=true) }}}}\n{text}" if dbt else text
    request = Request()
    if kind == "query":
        statement = str(metrics).rstrip().rstrip(";")
    else:
        request = make_request(
            metrics, conventions, aggregate, by=by, weight=weight, topics=topics, kinds=(kind,)
        )
    if dialect is not None:
        if schema is not None:
            raise InputError("a plain SELECT has no macros; leave out schema or dialect")
        from .translate.dialects import translate, write_plain

        if kind == "query":
            return translate(statement, dialect, columns)
        tables["topics"] = topics or tables["qrels"]
        return write_plain(request, dialect, tables, columns, mean=mean, style=names)
    plain = asked & {"columns", "mean", "weight", "aggregate", "names"}
    plain |= asked & {"by"} if kind != "clicks" else set()
    if plain:
        raise InputError(f"{', '.join(sorted(plain))}: only for plain SQL; give a dialect")
    if kind != "query":
        named = {
            name: table if re.fullmatch(r"\w+(\.\w+)*", table) else quote_name(table)
            for name, table in tables.items()
        }
        statement = build(
            request.metrics,
            *define(named, conventions),
            segments=Segments(columns=request.segments) if kind == "clicks" else None,
            shares_ranks=False,
            on_duckdb=True,
        )
    asked_for = (measure.metric.file for measure in request.metrics)
    macros = write_script(sort_files([*asked_for, *list_called(statement)]), schema)
    return f"{macros}\n{call_installed(statement, schema)};\n" if select else macros


_TABLES = ("qrels", "run", "log", "history", "items", "baseline")
_OF_RUNS = {"conventions", "mean", "aggregate", "weight", "topics"}

# The options that each kind of text does not take, and the message where one is given.
_REFUSED: dict[str, tuple[Collection[str], str]] = {
    "checks": (
        _OF_RUNS | {"by", "names", "schema", "select"},
        "checks takes dialect, columns and the names of tables",
    ),
    "query": (
        _OF_RUNS | {*_TABLES, "by", "names"},
        "a SELECT takes dialect and columns, or schema and select; the rest is for metrics",
    ),
    "clicks": (
        _OF_RUNS | {*_TABLES} - {"log"},
        "metrics of clicks take dialect, log, columns and by, or schema",
    ),
    "recommendations": (
        _OF_RUNS | {"by", "log"},
        "metrics of recommendations take dialect, the names of tables and columns, or schema; "
        "there is a row for each run",
    ),
    "neighbours": ({"conventions"}, "metrics of neighbours take no conventions"),
}


def _find_kind(metrics: str | Iterable[str]) -> str:
    """The kind of the metrics, or ``query`` for a SELECT."""
    if is_query(metrics):
        return "query"
    kinds = [measure.metric.kind for measure in parsing.parse(metrics)]
    return next((kind for kind in ("clicks", "recommendations") if kind in kinds), kinds[0])


def is_query(text: object) -> bool:
    """Whether a text is a SELECT, rather than names of metrics."""
    return isinstance(text, str) and bool(_BEGINNING.match(text))


_BEGINNING = re.compile(r"(?:\s|--[^\n]*\n|\()*(?:SELECT|FROM|WITH)\b\s*\S", re.IGNORECASE)


def _write_checks(
    metrics: str | Iterable[str],
    dialect: str,
    tables: Mapping[str, str],
    columns: Mapping[str, str] | None,
) -> str:
    from .translate.dialects import write_checks

    if is_query(metrics):
        asked = [(r, c.tables, c.options) for c in find_calls(str(metrics)) for r in c.relations]
        return write_checks(asked, dialect, columns)
    relations = {name for m in parsing.parse(metrics) for name in list_relations(m.metric.relation)}
    asked = [(find_file(name), tables, {}) for name in sorted(relations)]
    return write_checks(asked, dialect, columns)
