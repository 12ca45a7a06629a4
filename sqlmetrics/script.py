"""Scripts: the SQL of metrics, to paste into a shell or to run on another engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from .catalogue import find_file, list_relations, parsing
from .catalogue.conventions import Conventions, choose
from .errors import InputError, MetricError, read_names, require_dict, require_name, require_truth
from .inputs.columns import quote_name
from .inputs.excluded import is_self, write_without
from .macros.calls import find_calls, list_called
from .macros.create import needed_files, sort_files
from .macros.install import call_installed, write_removal, write_script
from .macros.statements import Segments, build
from .score import Aggregate, ask

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .catalogue.conventions import ConventionOptions


def sql(
    metrics: str | Iterable[str] | None = None,
    conventions: Conventions | None = None,
    *,
    dialect: str | None = None,
    qrels: str | PathLike[str] = "qrels",
    run: str | PathLike[str] = "run",
    log: str | PathLike[str] = "log",
    history: str | PathLike[str] = "history",
    items: str | PathLike[str] = "items",
    baseline: str | PathLike[str] = "baseline",
    columns: Mapping[str, str] | None = None,
    aggregate: Aggregate | None = None,
    mean: bool = False,
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
      macros; ``sqlmetrics sql --help`` lists them.
    - ``qrels``, ``run``: the names of the tables, as the engine writes them, for metrics of
      neighbours those of the exact and the returned ones; for metrics of clicks it is ``log``, and
      for those of recommendations also ``history``, ``items`` and ``baseline``.
    - ``columns``: which of their columns is which: ``{"doc_id": "sku", "run_id": "system"}``. Plain
      SQL knows runs only if you name a run_id, and subtopics only if you name a subtopic.
    - ``mean``: a row for each run instead of each query (and run); with ``by`` for each run and
      segment. ``topics`` is the table of queries that has the columns ``by`` and ``weight``. These
      and ``aggregate`` are for plain SQL, which has no medians and percentiles.
    - ``schema``: where the macros go; call them as ``lab.ndcg(j)``.
    - ``select``: whether the script of some metrics ends with a SELECT; without it, it is for
      ``duckdb -init``, as that of all macros.
    - ``remove``: the script that removes all macros.
    - ``checks``: in place of the scores, one plain SELECT of what makes the macros refuse the same
      tables, a row for each problem with its check and ids; without ``dialect`` for DuckDB.
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
    conventions = choose(conventions, options)
    if dialect is not None and not select:
        raise InputError("with a dialect there is only a SELECT; leave out dialect or select")
    given = {"qrels": qrels, "run": run, "log": log}
    given |= {"history": history, "items": items, "baseline": baseline}
    for name in given.values():
        if not isinstance(name, str | PathLike):
            raise InputError(f"table must be a name, not {name!r:.80}")
    require_truth(mean=mean, select=select, remove=remove, checks=checks, dbt=dbt)
    require_name("dialect", dialect, "an engine")
    require_name("aggregate", aggregate, "a mean")
    require_name("weight", weight, "a column")
    require_name("topics", topics, "a table")
    columns = require_dict("columns", columns, "{'doc_id': 'sku'}")
    by = read_names("by", by)
    exclude = conventions.exclude
    if not isinstance(exclude, str | PathLike | None):
        raise InputError(f"exclude must be 'self' or the name of a table, not {exclude!r:.80}")
    tables = {name: str(table) for name, table in given.items()}
    renamed = {name for name, table in tables.items() if table != name}
    has_options = conventions != Conventions() or bool(renamed) or exclude is not None
    has_options |= any((dialect, columns, aggregate, mean, by, weight, topics))
    qrels, run = tables["qrels"], tables["run"]
    if metrics is None:
        has_options |= checks or dbt
        if has_options:
            raise MetricError("no metrics; name at least one, such as 'nDCG@10 AP'")
        return write_removal(schema) if remove else write_script(needed_files(), schema)
    if remove:
        raise InputError("remove drops all macros; it takes no metrics")
    if dbt:
        if dialect is None:
            raise InputError("dbt needs the dialect of the database, such as 'duckdb'")
        from .elsewhere.features import IN_DBT

        dialect += IN_DBT
    if checks:
        unfit = conventions != Conventions() or exclude is not None or not select
        unfit |= any((mean, aggregate, weight, topics, by, schema))
        if unfit:
            raise InputError("checks takes dialect, columns and the names of tables")
        text = _write_checks(metrics, dialect or "duckdb", tables, columns)
        # dbt then says where it left the rows
        return f"{{{{ config(store_failures=true) }}}}\n{text}" if dbt else text
    has_conventions = conventions != Conventions() or exclude is not None
    unfit = any((has_conventions, mean, aggregate, weight, topics, dialect and schema))
    if is_query(metrics):
        if unfit or by or renamed:
            raise InputError(
                "a SELECT takes dialect and columns, or schema and select; the rest is for metrics"
            )
        return _write_query(str(metrics), dialect, columns, schema, select=select)
    kinds = [measure.metric.kind for measure in parsing.parse(metrics)]
    if "clicks" in kinds:
        if unfit or renamed - {"log"}:
            raise InputError("metrics of clicks take dialect, log, columns and by, or schema")
        return _write_clicks(metrics, dialect, tables["log"], columns, by, schema, select=select)
    if "recommendations" in kinds:
        if unfit or by or "log" in renamed:
            raise InputError(
                "metrics of recommendations take dialect, the names of tables and columns, or "
                "schema; there is a row for each run"
            )
        return _write_recommended(metrics, dialect, tables, columns, schema, select=select)
    kind = kinds[0]
    if kind == "neighbours" and has_conventions:
        raise InputError("metrics of neighbours take no conventions")
    question = ask(
        metrics, conventions, aggregate, by=by, weight=weight, topics=topics, kinds=(kind,)
    )
    wanted, segments = question.metrics, question.segments
    if dialect is not None and schema is not None:
        raise InputError("a plain SELECT has no macros; leave out schema or dialect")
    if dialect is not None:
        from .elsewhere.dialects import Summary, write_plain

        summary = Summary(segments, weight, topics) if mean or segments or weight else None
        return write_plain(wanted, conventions, dialect, (qrels, run), columns, summary)
    if mean or segments or weight or aggregate or columns:
        raise InputError(
            "columns, mean, by, weight and aggregate are for plain SQL; give a dialect"
        )
    qrels, run = map(_write_name, (qrels, run))
    files = needed_files((measure.metric for measure in wanted), expected=conventions.expects)
    if exclude is not None and not is_self(exclude):
        files = sort_files([*files, find_file("without")])
    macros = write_script(files, schema)
    if not select:
        return macros
    definitions, table = {}, run
    if exclude is not None:
        table, seen = "_kept", None if is_self(exclude) else _write_name(str(exclude))
        definitions[table] = write_without(run, seen)
    if conventions.score_type == "float32":
        narrow = f"SELECT * REPLACE (CAST(score AS FLOAT) AS score) FROM {table}"
        table = "_run"
        definitions[table] = narrow
    named = {"qrels": qrels, "run": table, "exact": qrels, "found": table}
    statement = build(wanted, named, conventions, definitions, shares_ranks=False)
    return f"{macros}\n{call_installed(statement, schema)};\n"


def is_query(text: object) -> bool:
    """Whether a text is a SELECT, rather than names of metrics."""
    return isinstance(text, str) and bool(_BEGINNING.match(text))


_BEGINNING = re.compile(r"(?:\s|--[^\n]*\n|\()*(?:SELECT|FROM|WITH)\b\s*\S", re.IGNORECASE)


def _write_query(
    query: str,
    dialect: str | None,
    columns: Mapping[str, str] | None,
    schema: str | None,
    *,
    select: bool,
) -> str:
    query = query.rstrip().rstrip(";")
    if dialect is not None:
        from .elsewhere.dialects import translate

        return translate(query, dialect, columns)
    if columns:
        raise InputError("columns are for plain SQL; give a dialect")
    macros = write_script(sort_files(list_called(query)), schema)
    return f"{macros}\n{call_installed(query, schema)};\n" if select else macros


def _write_checks(
    metrics: str | Iterable[str],
    dialect: str,
    tables: Mapping[str, str],
    columns: Mapping[str, str] | None,
) -> str:
    from .elsewhere.dialects import write_checks

    if is_query(metrics):
        asked = [(r, c.tables, c.options) for c in find_calls(str(metrics)) for r in c.relations]
        return write_checks(asked, dialect, columns)
    named = {**tables, "exact": tables["qrels"], "found": tables["run"]}
    relations = {name for m in parsing.parse(metrics) for name in list_relations(m.metric.relation)}
    asked = [(find_file(name), named, {}) for name in sorted(relations)]
    return write_checks(asked, dialect, columns)


def _write_clicks(
    metrics: str | Iterable[str],
    dialect: str | None,
    log: str,
    columns: Mapping[str, str] | None,
    by: str | Sequence[str],
    schema: str | None,
    *,
    select: bool,
) -> str:
    question = ask(metrics, Conventions(), by=by, kinds=("clicks",))
    wanted, segments = question.metrics, question.segments
    if dialect is not None:
        from .elsewhere.dialects import write_plain_clicks

        return write_plain_clicks(wanted, dialect, log, columns, segments)
    if columns:
        raise InputError("columns are for plain SQL; give a dialect")
    macros = write_script(needed_files(measure.metric for measure in wanted), schema)
    if not select:
        return macros
    statement = build(wanted, {"log": _write_name(log)}, segments=Segments(columns=segments))
    return f"{macros}\n{call_installed(statement, schema)};\n"


def _write_recommended(
    metrics: str | Iterable[str],
    dialect: str | None,
    tables: Mapping[str, str],
    columns: Mapping[str, str] | None,
    schema: str | None,
    *,
    select: bool,
) -> str:
    wanted = ask(metrics, Conventions(), kinds=("recommendations",)).metrics
    if dialect is not None:
        from .elsewhere.dialects import write_plain_recommended

        return write_plain_recommended(wanted, dialect, tables, columns)
    if columns:
        raise InputError("columns are for plain SQL; give a dialect")
    macros = write_script(needed_files(measure.metric for measure in wanted), schema)
    if not select:
        return macros
    named = {name: _write_name(table) for name, table in tables.items()}
    statement = build(wanted, named, on_duckdb=True)
    return f"{macros}\n{call_installed(statement, schema)};\n"


def _write_name(name: str) -> str:
    return name if re.fullmatch(r"\w+(\.\w+)*", name) else quote_name(name)
