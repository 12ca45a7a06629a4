"""Scripts: the SQL of metrics, to paste into a shell or to run on another engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from .catalogue.conventions import ScoreType, Ties, choose
from .engines.macros import call_installed, needed_files, write_removal, write_script
from .engines.statements import build
from .errors import InputError, MetricError
from .inputs.columns import quote_name
from .score import ask


def sql(
    metrics: str | Iterable[str] | None = None,
    *,
    dialect: str | None = None,
    qrels: str | PathLike[str] = "qrels",
    run: str | PathLike[str] = "run",
    columns: Mapping[str, str] | None = None,
    preset: str | None = None,
    ties: Ties | None = None,
    score_type: ScoreType | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    queries: str | Iterable[str] | None = None,
    no_relevant: float | None = None,
    aggregate: str | None = None,
    mean: bool = False,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: str | None = None,
    schema: str | None = None,
    remove: bool = False,
) -> str:
    """The SQL of some metrics, to paste: macros and a SELECT that uses them, or one plain SELECT.

    With a ``dialect``, the name of an engine such as ``"postgres"`` or ``"bigquery"`` (``sqlmetrics
    sql --help`` lists them), it is a SELECT that needs no macro; without one, macros for a DuckDB
    shell come before it, and without metrics it is all macros, for ``duckdb -init``.

    ``schema`` is where the macros go, so that they are called as ``lab.ndcg(j)``; ``remove`` gives
    the script that takes all macros away again.

    ``qrels`` and ``run`` are the names of tables as the engine writes them, and ``columns`` says
    which of their columns is which: ``{"doc_id": "sku", "run_id": "system"}``. A plain SELECT knows
    no runs unless it is told of a run_id, and no subtopics unless it is told of a subtopic.

    The SELECT has a row for each query (and run), sorted. ``mean`` gives a row for each run, and
    ``by`` one for each run and segment, with the summaries of `evaluate`; ``topics`` is the table
    of queries that has the columns ``by`` and ``weight``. These are for plain SELECTs, as is
    ``aggregate``, without medians and percentiles. The other options are those of `evaluate`. A
    plain SELECT ends without a semicolon, as drivers take it.

    Raises `MetricError` for a metric or parameter that does not exist, or that the engine cannot
    compute, `InputError` for a convention, dialect or name, and options without metrics.

    >>> "ndcg(j, k := 10)" in sql("nDCG@10")
    True
    >>> "FROM lab.run" in sql("NumRet", dialect="postgres", run="lab.run")
    True
    """
    conventions = choose(
        preset, ties=ties, score_type=score_type, depth=depth, judged_only=judged_only, rel=rel,
        queries=queries, no_relevant=no_relevant,
    )  # fmt: skip
    has_options = conventions != choose() or (qrels, run) != ("qrels", "run")
    has_options |= any((dialect, columns, aggregate, mean, by, weight, topics))
    for name in (qrels, run):
        if not isinstance(name, str | PathLike):
            raise InputError(f"a table goes by its name, not {name!r:.80}")
    qrels, run = str(qrels), str(run)
    if metrics is None:
        if has_options:
            raise MetricError("no metric is named; name one or more, like 'nDCG@10 AP'")
        return write_removal(schema) if remove else write_script(needed_files(), schema)
    if remove:
        raise InputError("remove takes all macros away; leave out the metrics")
    question = ask(metrics, conventions, aggregate, by=by, weight=weight, topics=topics)
    wanted, segments = question.metrics, question.segments
    if dialect is not None and schema is not None:
        raise InputError("a plain SELECT has no macros; leave out schema or dialect")
    if dialect is not None:
        from .engines.dialects import (  # sqlglot takes as long to import as all of ours
            Summary,
            write_plain,
        )

        summary = Summary(segments, weight, topics) if mean or segments or weight else None
        return write_plain(wanted, conventions, dialect, (qrels, run), columns, summary)
    if mean or segments or weight or aggregate or columns:
        raise InputError("columns, mean, by, weight and over are for plain SQL; give a dialect")
    qrels, run = (
        name if re.fullmatch(r"\w+(\.\w+)*", name) else quote_name(name) for name in (qrels, run)
    )
    files = needed_files((measure.metric for measure in wanted), expected=conventions.expects)
    macros = write_script(files, schema)
    definitions, table = {}, run
    if conventions.score_type == "float32":
        table = "_run"
        definitions[table] = f"SELECT * REPLACE (CAST(score AS FLOAT) AS score) FROM {run}"
    statement = build(wanted, conventions, definitions, (qrels, table), shares_ranks=False)
    return f"{macros}\n{call_installed(statement, schema)};\n"
