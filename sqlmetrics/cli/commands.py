"""Commands about runs and metrics: evaluate, check, metrics, presets, sql and query."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import click
import cloup
import polars as pl

import sqlmetrics

from ..catalogue import parsing
from ..catalogue.conventions import choose
from ..catalogue.rules import Value
from ..doctor import list_checked
from ..elsewhere.features import ENGINES
from ..inputs.columns import KINDS
from ..score import DEFAULT_METRICS
from ..script import is_query
from . import options as take
from .app import INPUT, MORE, START, app
from .derived import NUMBER, derive, say
from .ends import FAILED
from .formats import CHARTS, LAYOUTS, Format, format_findings, format_trec
from .inputs import READING, read_columns, refuse_limits
from .output import (
    Output,
    ask,
    call,
    is_terminal,
    note_whole,
    print_notes,
    take_output,
    write,
    write_frame,
)
from .pages import describe

_TABLES = "log history items baseline"


@app.command(section=START)
@cloup.argument("qrels", metavar="[QRELS", required=False)
@cloup.argument("runs", metavar="RUN...]", nargs=-1)
@cloup.option_group(
    "Metrics",
    cloup.option(
        "--metrics",
        "-m",
        multiple=True,
        type=take.METRIC,
        help=f"Such as 'nDCG@10 AP RBP(p=0.8)'; by default {DEFAULT_METRICS}, and trec_eval's "
        "official ones with -f trec.",
    ),
)
@cloup.option_group("Logs and recommendations", *derive(sqlmetrics.evaluate, _TABLES))
@cloup.option_group(
    "Output",
    cloup.option(
        "--per-query", "-q", is_flag=True, help="Scores of each query, and in tables the mean."
    ),
    cloup.option("--sort", help="Sort by the scores of this metric, highest first."),
    take.format_of("a table", get_args(Format)),
    take.output,
    take.digits,
)
@take.reading
@take.conventions
@take.summaries
@cloup.option_group("Intervals", *derive(sqlmetrics.evaluate, "intervals alpha"))
@cloup.option_group(
    "Where it runs",
    cloup.option(
        "--explain",
        is_flag=True,
        help="Only print how much there is to score, and how much memory it takes.",
    ),
    take.engine,
    cloup.option(
        "--into", help="With --engine: the table for the scores of queries, which stay there."
    ),
)
@take.limits
def evaluate(
    qrels: str | None,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    per_query: bool,
    sort: str | None,
    explain: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Score runs against judgments, or a log of clicks.

    QRELS are judgments: a CSV, TSV, JSON lines, Parquet or TREC file, also .gz or .zst; a URL; -
    for standard input; a table of --database; none where no metric needs them. Each RUN is a file
    of the same formats, a folder or pattern of them, a table, or any of these with a name before
    it: bm25=run.txt; a named folder is one run in many files. Responses of search engines are runs,
    too: see docs/search-engines.md. --log takes the place of both: see docs/clicks.md.
    """
    if not runs and (qrels or options["log"] is None):
        raise click.MissingParameter(
            param_type="argument", param_hint="'RUN...'" if qrels else "'QRELS'"
        )
    if options["log"] is not None:
        _refuse_for_log(explain=explain, per_query=per_query, format=options["format"])
    if explain and options["format"]:
        raise click.BadParameter("--explain prints text; remove --format")
    to = take_output(options)
    is_trec = to.format == "trec"
    if per_query and options["into"]:
        raise click.BadParameter("--into already writes the scores of queries; remove --per-query")
    if is_trec and options["by"]:
        raise click.BadParameter("the trec format has no segments; remove --by or use csv")
    if is_trec and sort:
        raise click.BadParameter("the trec format is not sorted; remove --sort or use csv")
    if is_trec and not metrics:
        metrics = ("official",)
    if explain:
        parsing.parse(metrics or DEFAULT_METRICS)
        given = {name: options[name] for name in (*READING, "run_names")}
        if options["engine"]:
            refuse_limits(explain)
        if qrels == "none":
            raise click.BadParameter("--explain needs judgments; name them in place of none")
        said, _ = call(sqlmetrics.explain, given, qrels, runs)
        write(f"{said}\n", to.file)
        return
    options["metrics"] = metrics or None
    judgments, inputs = None if qrels == "none" else qrels, f"topics {_TABLES}"
    scores, _ = call(sqlmetrics.evaluate, options, judgments, runs or None, inputs=inputs)
    agreed = choose(None, {"preset": options["preset"], "rel": options["rel"]}).parameters
    if is_trec:
        lines = parsing.list_trec_lines(metrics, agreed, options["aggregate"])
        write(format_trec(scores, lines, to.digits, per_query=per_query), to.file)
        print_notes(scores.notes)
        return
    by = _find_column(sort, scores, agreed) if sort else None
    frame = scores.per_query if per_query else scores.mean
    if by is not None:
        keys = [by, *(key for key in ("run_id", "query_id") if key in frame.columns)]
        frame = frame.sort(keys, descending=[True, *[False] * (len(keys) - 1)], nulls_last=True)
    notes = [*scores.notes]
    if per_query and to.format in LAYOUTS:
        mean = scores.mean.with_columns(query_id=pl.lit("all"))
        frame = pl.concat([frame, mean], how="diagonal")
        if by is None:
            names = pl.Enum(scores.mean["run_id"].unique(maintain_order=True))
            frame = frame.sort(pl.col("run_id").cast(names), maintain_order=True)
    elif per_query:
        notes += note_whole(scores)
    if to.format in CHARTS or (to.format == "latex" and not per_query):
        to.show(scores if per_query else replace(scores, mean=frame))
    else:
        to.show(frame, notes=notes)


def _refuse_for_log(*, explain: bool, per_query: bool, format: str | None) -> None:
    """Raise an error for what only scores of runs have."""
    given = {"--explain": explain, "--per-query": per_query, "-f trec": format == "trec"}
    for option in (option for option, is_given in given.items() if is_given):
        raise click.BadParameter(f"{option} is for runs, and not for --log; remove one of them")


def _find_column(name: str, scores: sqlmetrics.Scores, agreed: Iterable[tuple[str, Value]]) -> str:
    """The column of a metric, by any of its names."""
    wanted = parsing.parse(name, agreed)
    for measure in scores.metrics:
        if measure.name == name or [measure] == wanted:
            return measure.name
    names = ", ".join(measure.name for measure in scores.metrics)
    raise click.BadParameter(f"{name} is not among the metrics: {names}", param_hint="--sort")


@app.command(section=START)
@cloup.argument("qrels", metavar="[QRELS", required=False)
@cloup.argument("runs", metavar="RUN...]", nargs=-1)
@cloup.option_group(
    "Other tables",
    *(
        cloup.option(f"--{name}", type=INPUT, metavar="FILE", help=say(KINDS[name].likeness))
        for name in list_checked()
    ),
)
@cloup.option_group(
    "Checks",
    cloup.option("--strict", is_flag=True, help="End with status 1 for warnings, too."),
    cloup.option(
        "--documents",
        type=INPUT,
        help="The collection in which to look up ids: a file or table with the column doc_id.",
    ),
    cloup.option("--max-rel", type=NUMBER, help="Highest grade of the scale."),
    take.rel,
)
@cloup.option_group("Output", take.format_of("a report"), take.output)
@take.reading
@take.limits
def check(
    qrels: str | None,
    runs: tuple[str, ...],
    *,
    strict: bool,
    rel: float | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Look for problems in judgments and runs, or in other tables.

    Errors would make scores wrong, and end with status 1; warnings are about what is odd. QRELS and
    RUN are as for evaluate.
    """
    options["rel"] = 1 if rel is None else rel
    for name in list_checked():
        if options[name] is None:
            del options[name]
    given = [name for name in list_checked() if name in options]
    to, inputs = take_output(options), " ".join(["documents", *given])
    findings, notes = call(sqlmetrics.check, options, qrels, runs or None, inputs=inputs)
    show_findings(to, findings, strict=strict, notes=notes if given else ())


def show_findings(
    to: Output, findings: pl.DataFrame, *, strict: bool, notes: Iterable[str] = ()
) -> None:
    """Show the findings; end with status 1 for an error or, if ``strict``, for any finding."""
    if to.format == "table":
        write(format_findings(findings), to.file)
        print_notes(notes)
    else:
        to.show(findings, notes=notes)
    if (strict and findings.height) or "error" in findings["severity"]:
        raise click.exceptions.Exit(FAILED)


@app.command("metrics", section=MORE)
@cloup.argument("names", metavar="[METRIC]...", nargs=-1, type=take.METRIC)
@take.list_format
def list_metrics(names: tuple[str, ...], format: Format) -> None:
    """List the metrics, or describe some.

    METRIC is any name of one, such as ndcg_cut_10, or a family, such as users. The page of a metric
    has the formula, the parameters, the SQL, and the tools that agree or differ.
    """
    families = sqlmetrics.metrics()["family"].unique()
    if names and {*names} <= {*families}:
        frame, names = sqlmetrics.metrics().filter(pl.col("family").is_in(names)), ()
    else:
        frame = sqlmetrics.metrics(*names)
    if names and format in ("table", "markdown"):
        text = "\n".join(map(describe, parsing.find_metrics(names)))
        if format == "table" and is_terminal():
            from rich.console import Console
            from rich.markdown import Markdown

            Console().print(Markdown(text))
        else:
            write(text, None)
        return
    if format in ("table", "markdown"):
        frame = frame.select("family", "name", "formula").sort("family", maintain_order=True)
    write_frame(frame, format)


@app.command("presets", section=MORE)
@take.list_format
def list_presets(format: Format) -> None:
    """List the conventions of other tools."""
    write_frame(sqlmetrics.presets(), format)


_schema = cloup.option(
    "--schema", help="Create the macros in this schema; call them as lab.ndcg(j)."
)


@app.command("sql", section=START)
@cloup.argument("metrics", metavar="[METRIC|SELECT]...", nargs=-1, type=take.METRIC)
@cloup.option_group(
    "SQL",
    cloup.option(
        "--dialect",
        type=click.Choice([*ENGINES]),
        help="One SELECT that needs no macros, for this engine.",
    ),
    cloup.option("--mean", is_flag=True, help="A row per run, not per query."),
    cloup.option(
        "--select/--no-select",
        default=True,
        help="Whether the macros of some metrics end with a SELECT.",
    ),
    _schema,
    cloup.option("--remove", is_flag=True, help="Print a script that removes all macros."),
    cloup.option("--checks", is_flag=True, help="A SELECT of the tables' problems, not scores."),
    cloup.option("--dbt", is_flag=True, help="A model of dbt, or with --checks a test."),
)
@cloup.option_group("Output", take.output)
@cloup.option_group(
    "Input",
    cloup.option("--qrels", default="qrels", show_default=True, help="The table of judgments."),
    cloup.option("--run", default="run", show_default=True, help="The table of the run, or runs."),
    cloup.option("--log", default="log", show_default=True, help="The table of clicks."),
    cloup.option("--history", default="history", show_default=True, help="What users had before."),
    cloup.option("--items", default="items", show_default=True, help="The items of a catalogue."),
    cloup.option(
        "--baseline", default="baseline", show_default=True, help="The run to compare with."
    ),
    take.columns,
)
@take.conventions
@take.summaries
def print_sql(
    metrics: tuple[str, ...],
    output: Path | None,
    *,
    columns: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Print the SQL of metrics, or of any SELECT over the macros.

    Without METRIC, print all macros, for 'duckdb -init'; with some, their macros and a SELECT. With
    --dialect, print one plain SELECT over tables of that engine. --columns run_id=system says that
    there are several runs, subtopic=intent that judgments are by subtopic. SELECT is SQL, or a file
    with it: "FROM roc_curve(qrels, run)".
    """
    named: dict[str, Any] = {**read_columns(columns)}
    asked: Any = metrics or None
    if len(metrics) == 1 and (metrics[0].endswith(".sql") or is_query(metrics[0])):
        asked = read_sql(metrics[0])
    text = sqlmetrics.sql(asked, columns=named, **options)
    is_plain = options["dialect"] or options["checks"]
    write(f"{text}{'' if options['dbt'] else ';'}\n" if is_plain else text, output)


@app.command(section=START)
@cloup.argument("database", type=click.Path(dir_okay=False, path_type=Path))
@_schema
@cloup.option("--remove", is_flag=True, help="Remove the macros from the database.")
def install(database: Path, *, schema: str | None, remove: bool) -> None:
    """Create the macros in a DuckDB database file.

    DATABASE is created if it does not exist. A shell opens it faster than it reads the script of
    'sqlmetrics sql': duckdb metrics.duckdb.
    """
    if remove:
        sqlmetrics.uninstall(database, schema=schema)
        write(f"removed the macros from {database}\n", None)
    else:
        sqlmetrics.install(database, schema=schema)
        write(f"to open a shell with the macros, type: duckdb {shlex.quote(str(database))}\n", None)


@app.command("query", section=START)
@cloup.argument("query", type=str)
@cloup.option_group(
    "Tables",
    cloup.option(
        "--table",
        "-t",
        "tables",
        multiple=True,
        metavar="NAME=FILE",
        help="A table of the query: log=clicks.parquet; several files of one name are runs.",
    ),
)
@take.writing
@cloup.option_group("Input", *take.tables)
@cloup.option_group("Where it runs", take.engine)
@take.limits
def run_query(query: str, *, tables: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Run a SELECT over the macros.

    QUERY is SQL, or a file with it, over the tables that --table names and those of --database:
    "SELECT query_id, ndcg(j) FROM judged(qrels, run) AS j GROUP BY ALL". What a table is follows
    from the macro that it is passed to.
    """
    given: dict[str, list[str]] = {}
    for each in tables:
        name, equals, path = each.partition("=")
        if not (name.isidentifier() and equals):
            raise click.BadParameter(f"write --table as NAME=FILE, not {each}")
        if name in options or name in ("sql", "con"):
            raise click.BadParameter(f"--table cannot be called {name}; choose another name")
        given.setdefault(name, []).append(path)
    named = {
        name: paths if len(paths) > 1 or "=" in paths[0] else paths[0]
        for name, paths in given.items()
    }
    run = partial(sqlmetrics.query, read_sql(query))
    ask(run, options | named, inputs=" ".join(named))


def read_sql(query: str) -> str:
    """The text of a query, or of the file that it names, without a semicolon at its end."""
    if query.endswith(".sql"):
        if not (file := Path(query)).is_file():
            raise click.BadParameter(f"the file {query} does not exist", param_hint="QUERY")
        query = file.read_text(encoding="utf-8")
    return query.rstrip().rstrip(";")
