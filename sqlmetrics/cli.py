"""The command line: results to stdout, messages to stderr, status 2 for wrong usage or input."""

from __future__ import annotations

import os
import sys
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import duckdb
import polars as pl
import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import sqlmetrics
from sqlmetrics import Scores, measures

Format: TypeAlias = Literal["table", "csv", "json", "parquet", "trec"]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write to this file, whole or not at all."),
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


@app.command()
def evaluate(
    qrels: Annotated[str, typer.Argument(help="Judgments: CSV, TSV, Parquet or TREC file.")],
    runs: Annotated[list[str], typer.Argument(help="One or more runs: files of the same formats.")],
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
    digits: Annotated[
        int, typer.Option(min=0, help="Decimals in tables and trec; other formats have all.")
    ] = 4,
    score_type: Annotated[
        Literal["float64", "float32"],
        typer.Option(help="How scores are compared; trec_eval up to version 9 used float32."),
    ] = "float64",
) -> None:
    """Score runs against judgments."""
    suffix = output.suffix.removeprefix(".") if output else ""
    chosen = format or (suffix if suffix in ("csv", "json", "parquet") else "table")
    if chosen == "table" and suffix not in ("", "txt") and not format:
        raise typer.BadParameter(
            f"what format is {output}? Name it .csv, .json or .parquet, or add -f"
        )
    if chosen == "parquet" and output is None:
        raise typer.BadParameter("parquet needs a file: add -o FILE")
    for path in (qrels, *runs):
        if not Path(path).exists():
            hint = "; quote metrics together: -m 'nDCG@10 AP'" if _is_metric(path) else ""
            raise sqlmetrics.InputError(f"the file {path} does not exist{hint}")
    scores = sqlmetrics.evaluate(qrels, runs, metrics, score_type=score_type)
    if chosen == "trec":
        _write(_format_trec(scores, digits, per_query=per_query), output)
    else:
        _write_frame(scores.per_query if per_query else scores.mean, chosen, output, digits)


def _is_metric(text: str) -> bool:
    try:
        return bool(measures.parse(text))
    except sqlmetrics.MeasureError:
        return False


@app.command("metrics")
def list_metrics(
    format: Annotated[
        Literal["table", "csv", "json"], typer.Option("--format", "-f", help="How to print.")
    ] = "table",
) -> None:
    """List the metrics."""
    frame = sqlmetrics.metrics()
    if format == "table":
        frame = frame.select("name", "parameters", "summary")
    _write_frame(frame, format)


@app.command("sql")
def print_sql(
    metrics: Annotated[list[str] | None, typer.Argument(help="None: every metric.")] = None,
    output: Output = None,
) -> None:
    """Print the SQL: all macros, for 'duckdb -init', or those of some metrics and a SELECT."""
    _write(sqlmetrics.sql(metrics or None), output)


def _write_frame(
    frame: pl.DataFrame, format: str, output: Path | None = None, digits: int = 4
) -> None:
    if format == "csv":
        _write(frame.write_csv(), output)
    elif format == "json":
        _write(frame.write_json() + "\n", output)
    elif format == "parquet":
        buffer = BytesIO()
        frame.write_parquet(buffer)
        _write(buffer.getvalue(), output)
    elif output is None and sys.stdout.isatty():
        _print_for_reader(frame, digits)
    else:
        _write(_format_table(frame, digits), output)


def _write(result: str | bytes, output: Path | None) -> None:
    """Print the result, or replace the file by it once it is written whole."""
    content = result.encode() if isinstance(result, str) else result
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    target = output.resolve()
    if target.exists() and not target.is_file():  # a pipe or a device
        target.write_bytes(content)
        return
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        if target.exists():
            unfinished.chmod(target.stat().st_mode)
        unfinished.replace(target)
    except OSError as error:
        raise typer.BadParameter(f"cannot write {output}: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _lay_out(frame: pl.DataFrame, digits: int, table: Table) -> Table:
    for name, dtype in frame.schema.items():
        table.add_column(Text(name), justify="right" if dtype.is_float() else "left")
    for row in frame.iter_rows():
        table.add_row(
            *(Text(f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)) for cell in row)
        )
    return table


def _format_table(frame: pl.DataFrame, digits: int) -> str:
    """The table for a file or a pipe: every row on its line, however long, and no frame."""
    table = _lay_out(frame, digits, Table(box=None, padding=(0, 2, 0, 0), pad_edge=False))
    console = Console(width=10_000, color_system=None)
    with console.capture() as captured:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _print_for_reader(frame: pl.DataFrame, digits: int) -> None:
    """The table for a terminal; measures stand one below the other where it would be too wide."""
    console = Console()
    table = _lay_out(frame, digits, Table(box=box.SIMPLE_HEAD))
    ids = [column for column, dtype in frame.schema.items() if dtype == pl.String]
    width = Console(width=10_000).measure(table).maximum
    if len(ids) < frame.width and width > console.width:
        long = frame.unpivot(index=ids, variable_name="metric", value_name="score")
        long = long.sort(ids, maintain_order=True)
        table = _lay_out(long, digits, Table(box=box.SIMPLE_HEAD))
    console.print(table)


def _format_trec(scores: Scores, digits: int, *, per_query: bool) -> str:
    """What trec_eval prints: measure, query, score; with several runs, each after its name."""

    def write_scores(query_id: str, row: dict[str, Any]) -> str:
        return "".join(
            f"{m.trec_name:<22}\t{query_id}\t"
            + (f"{row[m.name]:.0f}\n" if m.metric.is_summed else f"{row[m.name]:6.{digits}f}\n")
            for m in scores.measures
        )

    parts = []
    for mean in scores.mean.iter_rows(named=True):
        if scores.mean.height > 1:
            parts.append(f"{'runid':<22}\tall\t{mean['run_id']}\n")
        if per_query:
            own = scores.per_query.filter(pl.col("run_id") == mean["run_id"])
            parts += [write_scores(row["query_id"], row) for row in own.iter_rows(named=True)]
        parts.append(write_scores("all", mean))
    return "".join(parts)


def main() -> None:
    """Run the command line; what is wrong with the input is said in a line, without a trace."""
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
    except duckdb.Error as error:
        sys.exit(_report(f"DuckDB: {error}", 1))


def _report(message: str, status: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return status
