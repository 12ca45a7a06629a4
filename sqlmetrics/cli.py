"""The command line: results to stdout, messages to stderr, status 2 for wrong usage or input."""

from __future__ import annotations

import glob
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import duckdb
import polars as pl
import typer

import sqlmetrics
from sqlmetrics import measures
from sqlmetrics.catalogue import quote
from sqlmetrics.conventions import ScoreType, Ties
from sqlmetrics.files import reading
from sqlmetrics.output import (
    Format,
    choose_format,
    format_findings,
    format_trec,
    write,
    write_frame,
)
from sqlmetrics.pages import describe
from sqlmetrics.progress import show_progress, stop_by_signal
from sqlmetrics.workspace import open_workspace


def _require_folder(output: Path | None) -> Path | None:
    if output and not output.parent.is_dir():
        raise typer.BadParameter(f"the folder {output.parent} does not exist")
    return output


ListFormat: TypeAlias = Literal["table", "csv", "json", "jsonl", "markdown"]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        dir_okay=False,
        callback=_require_folder,
        help="Write to this file, whole or not at all.",
    ),
]
Digits = Annotated[
    int, typer.Option(min=0, help="Decimals in tables and trec; data formats have all.")
]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"sqlmetrics {sqlmetrics.__version__}, duckdb {duckdb.__version__}")
        raise typer.Exit


@app.callback()
def _describe(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Versions.")
    ] = False,
) -> None:
    """Ranking metrics as SQL, run by DuckDB."""


QRELS = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Judgments: a CSV, TSV, JSON lines, Parquet or TREC file, also .gz or .zst; a URL; "
        "- for standard input; a table of --database.",
    ),
]
RUNS = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Runs: files of the same formats, folders or patterns of them, tables, and any of "
        "these with a name before it: bm25=run.txt; a named folder is one run in many files.",
    ),
]
Database = Annotated[
    Path | None,
    typer.Option("--database", "-d", exists=True, dir_okay=False, help="DuckDB file with tables."),
]
ColumnNames = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        "-c",
        help="Which column is which, where their names do not say so: query_id=q,doc_id=sku; by "
        "number where there is no header: query_id=1,doc_id=2,score=3.",
    ),
]
RunNames = Annotated[
    Literal["file", "tag"],
    typer.Option(help="Name runs by their files, or by the tag in the last column of TREC text."),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        help="Memory for DuckDB, such as 2GB; four fifths of the machine's if not given. What "
        "does not fit goes to the folder for temporary files.",
        show_default=False,
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads for DuckDB; all if not given.")]
TempFolder = Annotated[
    Path | None,
    typer.Option(
        exists=True, file_okay=False, writable=True,
        help="Folder for temporary files, where the system's is too small.",
    ),
]  # fmt: skip
Preset = Annotated[
    str | None,
    typer.Option(
        help="Conventions of a tool, such as trec_eval-9; 'sqlmetrics presets' lists all."
    ),
]
TieOrder = Annotated[
    Ties | None,
    typer.Option(
        help="Documents of the same score stand by document id, descending (default) or ascending; "
        "as in the input; by its column rank; relevant ones first (best) or last (worst); or the "
        "expected score over all their orders."
    ),
]
ScoreBits = Annotated[
    ScoreType | None,
    typer.Option(help="How scores are compared; trec_eval up to version 9 used float32."),
]
Depth = Annotated[int | None, typer.Option(help="Only so many documents of each query.")]
JudgedOnly = Annotated[
    bool | None,
    typer.Option("--judged-only", help="Ranks pass over unjudged documents.", show_default=False),
]
Threshold = Annotated[
    float | None, typer.Option(help="Relevance from which a document is relevant.")
]
Population = Annotated[
    str | None,
    typer.Option(
        help="Which queries count: judged (default), those also answered by the run, those with "
        "something relevant, or 'answered, relevant'."
    ),
]

Empty = Annotated[
    float | None, typer.Option(help="What a query with nothing relevant scores; 0 if not given.")
]


@app.command()
def evaluate(
    qrels: QRELS,
    runs: RUNS,
    metrics: Annotated[
        list[str],
        typer.Option("--metrics", "-m", help="For example 'nDCG@10 AP RBP(p=0.8)'."),
    ],
    per_query: Annotated[
        bool, typer.Option("--per-query", "-q", help="Scores of each query, not only means.")
    ] = False,
    format: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="Default: by the output file's name, else a table."),
    ] = None,
    output: Output = None,
    digits: Digits = 4,
    database: Database = None,
    columns: ColumnNames = None,
    run_names: RunNames = "file",
    preset: Preset = None,
    ties: TieOrder = None,
    score_type: ScoreBits = None,
    depth: Depth = None,
    judged_only: JudgedOnly = None,
    rel: Threshold = None,
    queries: Population = None,
    empty: Empty = None,
    over: Annotated[
        str | None,
        typer.Option(
            help="A run's figure from its queries': mean, geometric, harmonic, median, std, min, "
            "max, sum, p25 and other percentiles, or pooled, over all rankings taken together."
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(help="A row per run and value of this column of the topics; more than once."),
    ] = None,
    weight: Annotated[
        str | None,
        typer.Option(help="The column of the topics that says how much a query counts in means."),
    ] = None,
    topics: Annotated[
        str | None,
        typer.Option(
            help="A file or table of queries, with query_id and these columns; without it they are "
            "columns of the judgments."
        ),
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            help="How documents are ranked, with the same figures; the fastest that fits if not "
            "given.",
            show_default=False,
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Only print the plan, its reasons and its memory.")
    ] = False,
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
    temp_folder: TempFolder = None,
) -> None:
    """Score runs against judgments."""
    chosen = format or choose_format(output)
    if chosen == "parquet" and output is None:
        raise typer.BadParameter("parquet needs a file: add -o FILE")
    if chosen == "trec" and by:
        raise typer.BadParameter("trec has no place for segments: leave out --by, or take csv")
    with _connect(database, memory_limit, threads, temp_folder) as con:
        inputs = _find_inputs(qrels, runs, database, topics)
        names = _read_columns(columns)
        if explain:
            lines = sqlmetrics.explain(
                *inputs, con=con, columns=names, run_names=run_names, plan=plan
            )
            write(f"{lines}\n", output)
            return
        scores = sqlmetrics.evaluate(
            *inputs,
            metrics,
            con=con,
            columns=names,
            run_names=run_names,
            plan=plan,
            preset=preset,
            ties=ties,
            score_type=score_type,
            depth=depth,
            judged_only=judged_only,
            rel=rel,
            queries=queries,
            empty=empty,
            over=over,
            by=by or (),
            weight=weight,
            topics=topics and _find_input(topics, database),
        )
    for note in scores.notes:
        print(f"note: {note}", file=sys.stderr)
    if chosen == "trec":
        write(format_trec(scores, digits, per_query=per_query), output)
    else:
        write_frame(scores.per_query if per_query else scores.mean, chosen, output, digits)


@contextmanager
def _connect(
    database: Path | None, memory_limit: str | None, threads: int | None, temp_folder: Path | None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection within limits whose work shows its progress and can be stopped."""
    with open_workspace(temp_folder) as folder:
        with reading(str(database)):
            con = duckdb.connect(database or ":memory:", read_only=database is not None)
        with con, stop_by_signal(con), show_progress(con):
            con.execute(f"SET temp_directory = {quote(str(folder))}")
            if threads is not None:
                con.execute(f"SET threads = {threads}")
            if memory_limit is not None:
                try:
                    con.execute(f"SET memory_limit = {quote(memory_limit)}")
                except duckdb.Error:
                    problem = f"'{memory_limit}' is no amount of memory, such as 2GB"
                    raise typer.BadParameter(problem, param_hint="--memory-limit") from None
            yield con


def _find_inputs(
    qrels: str, runs: list[str], database: Path | None, *others: str | None
) -> tuple[Any, list[Any]]:
    """The inputs as Python takes them: paths, URLs, open files, tables, runs by name.

    ``others`` are those of further inputs, which standard input can be only once.
    """
    if [qrels, *runs, *others].count("-") > 1:
        raise sqlmetrics.InputError("standard input can be read only once")
    found = []
    for run in runs:
        name, equals, data = run.partition("=")
        if equals and name and "/" not in name and not Path(run).exists():
            found.append({name: _find_input(data, database)})
        else:
            found.append(_find_input(run, database))
    return _find_input(qrels, database), found


def _find_input(text: str, database: Path | None) -> Any:  # noqa: ANN401
    if not text:
        raise sqlmetrics.InputError("the name of a file is empty")
    if text == "-":
        return sys.stdin.buffer
    if database or "://" in text:
        return text
    if Path(text).exists() or glob.glob(text, recursive=True):
        return Path(text)
    hint = "; quote metrics together: -m 'nDCG@10 AP'" if _is_metric(text) else ""
    raise sqlmetrics.InputError(f"the file {text} does not exist{hint}")


def _read_columns(given: list[str] | None) -> dict[str, list[str | int]]:
    """``query_id=q,doc_id=2`` as a dict; a column named twice has a choice of names."""
    columns: dict[str, list[str | int]] = {}
    for pair in (pair for pairs in given or () for pair in pairs.split(",")):
        column, equals, name = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"write --columns as query_id=NAME, not {pair}")
        choice = int(name) if name.isdecimal() else name
        columns.setdefault(column.strip(), []).append(choice)
    return columns


def _is_metric(text: str) -> bool:
    try:
        return bool(measures.parse(text))
    except sqlmetrics.MeasureError:
        return False


@app.command()
def check(
    qrels: QRELS,
    runs: RUNS,
    format: Annotated[
        ListFormat | None,
        typer.Option("--format", "-f", help="Default: by the output file's name, else a report."),
    ] = None,
    output: Output = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with status 1 for warnings, too.")
    ] = False,
    documents: Annotated[
        str | None,
        typer.Option(
            help="The collection: a file or table with the column doc_id, to look ids up."
        ),
    ] = None,
    max_rel: Annotated[float | None, typer.Option(help="Highest grade of the scale.")] = None,
    rel: Threshold = None,
    database: Database = None,
    columns: ColumnNames = None,
    run_names: RunNames = "file",
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
    temp_folder: TempFolder = None,
) -> None:
    """Look at judgments and runs before scoring: what is wrong with them, and what is odd.

    Ends with status 1 when there are errors, with which a number would be wrong.
    """
    with _connect(database, memory_limit, threads, temp_folder) as con:
        findings = sqlmetrics.check(
            *_find_inputs(qrels, runs, database, documents),
            con=con,
            columns=_read_columns(columns),
            run_names=run_names,
            rel=1 if rel is None else rel,
            max_rel=max_rel,
            documents=documents and _find_input(documents, database),
        )
    chosen = format or choose_format(output)
    if chosen == "table":
        write(format_findings(findings), output)
    else:
        write_frame(findings, chosen, output)
    if (strict and findings.height) or "error" in findings["severity"]:
        raise typer.Exit(1)


@app.command()
def curve(
    name: Annotated[
        str,
        typer.Argument(
            help="precision_recall_table, precision_recall_curve or roc_curve, with parameters as "
            "'precision_recall_curve(interpolated=True, averaged=True)'."
        ),
    ],
    qrels: QRELS,
    runs: RUNS,
    format: Annotated[
        ListFormat | None,
        typer.Option("--format", "-f", help="Default: by the output file's name, else a table."),
    ] = None,
    output: Output = None,
    digits: Digits = 4,
    database: Database = None,
    columns: ColumnNames = None,
    run_names: RunNames = "file",
    rel: Threshold = None,
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
    temp_folder: TempFolder = None,
) -> None:
    """The points of a curve: precision and recall by rank, precision over recall, or ROC."""
    with _connect(database, memory_limit, threads, temp_folder) as con:
        points = sqlmetrics.curve(
            name,
            *_find_inputs(qrels, runs, database),
            con=con,
            columns=_read_columns(columns),
            run_names=run_names,
            rel=rel,
        )
    write_frame(points, format or choose_format(output), output, digits)


@app.command("metrics")
def list_metrics(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Tell all of these, by any name, such as ndcg_cut_10; none lists all."),
    ] = None,
    format: Annotated[ListFormat, typer.Option("--format", "-f", help="How to print.")] = "table",
) -> None:
    """List the metrics, or tell all about some: formula, parameters, who agrees and who differs."""
    frame = sqlmetrics.metrics()
    if names:
        wanted = measures.find_metrics(names)
        frame = frame.filter(pl.col("macro").is_in([metric.macro for metric in wanted]))
    if names and format in ("table", "markdown"):
        write("\n".join(map(describe, wanted)), None)
        return
    if format in ("table", "markdown"):
        frame = frame.select("family", "name", "formula").sort("family", maintain_order=True)
    write_frame(frame, format)


@app.command("presets")
def list_presets(
    format: Annotated[ListFormat, typer.Option("--format", "-f", help="How to print.")] = "table",
) -> None:
    """List the presets: the conventions of other tools."""
    write_frame(sqlmetrics.presets(), format)


@app.command("sql")
def print_sql(
    metrics: Annotated[list[str] | None, typer.Argument(help="None: every metric.")] = None,
    output: Output = None,
    preset: Preset = None,
    ties: TieOrder = None,
    score_type: ScoreBits = None,
    depth: Depth = None,
    judged_only: JudgedOnly = None,
    rel: Threshold = None,
    queries: Population = None,
    empty: Empty = None,
) -> None:
    """Print the SQL: all macros, for 'duckdb -init', or those of some metrics and a SELECT."""
    text = sqlmetrics.sql(
        metrics or None,
        preset=preset,
        ties=ties,
        score_type=score_type,
        depth=depth,
        judged_only=judged_only,
        rel=rel,
        queries=queries,
        empty=empty,
    )
    write(text, output)


def main() -> None:
    """Run the command line; what is wrong with the input is said in a line, without a trace."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidies up as Ctrl-C does
    try:
        app()
    except sqlmetrics.SqlMetricsError as error:
        sys.exit(_report(str(error), 2))
    except OSError as error:
        # what is left to print would fail again when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # as in "sqlmetrics … | head"
            sys.exit(1)
        sys.exit(_report(f"cannot write the result: {error.strerror}", 1))
    except duckdb.OutOfMemoryException as error:
        said = str(error).partition("\n")[0].partition(": ")[2]
        hint = "raise --memory-limit, lower --threads, or name a roomier --temp-folder"
        sys.exit(_report(f"the memory is too small; {hint} (DuckDB: {said})", 1))
    except duckdb.Error as error:
        sys.exit(_report(f"DuckDB: {error}", 1))


def _report(message: str, status: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return status
