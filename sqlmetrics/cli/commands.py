"""The command line: results to stdout, messages to stderr, status 2 for wrong usage or input."""

from __future__ import annotations

import glob
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
import duckdb
import polars as pl

import sqlmetrics

from ..catalogue import files, measures, quote
from ..catalogue.conventions import ScoreType, Ties, choose
from ..engines.features import ENGINES
from ..inputs.files import reading
from ..inputs.workspace import open_workspace
from .formats import Format, format_findings, format_trec
from .output import choose_format, write, write_frame
from .pages import describe
from .progress import show_progress, stop_by_signal

Command = TypeVar("Command", bound=Callable[..., Any])


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    sqlmetrics.__version__, message=f"sqlmetrics %(version)s, duckdb {duckdb.__version__}"
)
def app() -> None:
    """Ranking metrics as SQL, run by DuckDB or where the data is."""


def _compose(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options that several commands have."""

    def compose(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return compose


def _require_folder(
    _ctx: click.Context, _option: click.Parameter, output: Path | None
) -> Path | None:
    if output and not output.parent.is_dir():
        raise click.BadParameter(f"the folder {output.parent} does not exist")
    return output


def _take_format(
    default: str, formats: Sequence[str] = get_args(Format)
) -> Callable[[Command], Command]:
    help = f"Default: by the output file's name, else {default}."
    return click.option("--format", "-f", type=click.Choice(formats), help=help)


_LISTS = ("table", "csv", "json", "jsonl", "markdown")
_list_format = click.option(
    "--format", "-f", type=click.Choice(_LISTS), default="table", help="How to print."
)
_output = click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_require_folder,
    help="Write to this file, whole or not at all.",
)
_digits = click.option(
    "--digits",
    type=click.IntRange(0, 100),
    default=4,
    show_default=True,
    help="Decimals in tables and trec; data formats have all.",
)
_inputs = _compose(
    click.argument("qrels"), click.argument("runs", metavar="RUN...", nargs=-1, required=True)
)
_columns = click.option(
    "--columns",
    "-c",
    multiple=True,
    help="Which column is which, where their names do not say so: query_id=q,doc_id=sku; by "
    "number where there is no header: query_id=1,doc_id=2,score=3.",
)
_reading = _compose(
    click.option(
        "--database",
        "-d",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="DuckDB file with tables.",
    ),
    _columns,
    click.option(
        "--run-names",
        type=click.Choice(["file", "tag"]),
        default="file",
        show_default=True,
        help="Name runs by their files, or by the tag in the last column of TREC text.",
    ),
)
_limits = _compose(
    click.option(
        "--memory-limit",
        help="Memory for DuckDB, such as 2GB; four fifths of the machine's if not given. What "
        "does not fit goes to the folder for temporary files. JSON other than JSON lines is read "
        "whole, outside this limit.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1, 1024),
        help="Threads for DuckDB; all if not given.",
    ),
    click.option(
        "--temp-folder",
        type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
        help="Folder for temporary files, where the system's is too small.",
    ),
)


def _add_metrics(_ctx: click.Context, _option: click.Parameter, paths: tuple[Path, ...]) -> None:
    for path in paths:
        sqlmetrics.add_metric(path)


_metric_files = click.option(
    "--metric-file",
    multiple=True,
    type=click.Path(path_type=Path),
    callback=_add_metrics,
    expose_value=False,
    is_eager=True,
    help="A metric of your own, in a file like those of the package; more than once.",
)
_rel = click.option("--rel", type=float, help="Relevance from which a document is relevant.")
_conventions = _compose(
    click.option(
        "--preset",
        help="Conventions of a tool, such as trec_eval-9; 'sqlmetrics presets' lists all.",
    ),
    click.option(
        "--ties",
        type=click.Choice(get_args(Ties)),
        help="Documents of the same score stand by document id, descending (default) or ascending; "
        "as in the input; by its column rank; relevant ones first (best) or last (worst); or the "
        "expected score over all their orders.",
    ),
    click.option(
        "--score-type",
        type=click.Choice(get_args(ScoreType)),
        help="How scores are compared; trec_eval up to version 9 used float32.",
    ),
    click.option("--depth", type=int, help="Only so many documents of each query."),
    click.option(
        "--judged-only", is_flag=True, default=None, help="Ranks pass over unjudged documents."
    ),
    _rel,
    click.option(
        "--queries",
        help="Which queries count: judged (default), those also answered by the run, those with "
        "something relevant, or 'answered, relevant'.",
    ),
    click.option(
        "--no-relevant",
        type=float,
        help="What a query with nothing relevant scores; 0 if not given.",
    ),
)

_summaries = _compose(
    click.option(
        "--aggregate",
        help="A run's score from its queries': mean, geometric, harmonic, median, std, min, max, "
        "sum, p25 and other percentiles, or pooled, over all rankings taken together.",
    ),
    click.option(
        "--by",
        multiple=True,
        help="A row per run and value of this column of the topics; more than once.",
    ),
    click.option(
        "--weight",
        help="The column of the topics that says how much a query counts in means.",
    ),
    click.option(
        "--topics",
        help="A file or table of queries, with query_id and these columns; without it they are "
        "columns of the judgments.",
    ),
)


@app.command()
@_inputs
@click.option(
    "--metrics", "-m", multiple=True, required=True, help="For example 'nDCG@10 AP RBP(p=0.8)'."
)
@_metric_files
@click.option("--per-query", "-q", is_flag=True, help="Scores of each query, not only means.")
@_take_format("a table")
@_output
@_digits
@_reading
@_conventions
@_summaries
@click.option(
    "--strategy",
    type=click.Choice([*files()["strategies"]]),
    help="How documents are ranked, with the same scores; the fastest that fits if not given.",
)
@click.option("--explain", is_flag=True, help="Only print the strategy, and the memory it takes.")
@click.option(
    "--engine",
    help="Compute on Spark: its master or Connect server, such as spark://host:7077, sc://host or "
    "local[*]. The inputs are tables there, or Parquet files that it can read.",
)
@click.option(
    "--into", help="With --engine, the table for the scores of queries, which stay there."
)
@_limits
def evaluate(
    qrels: str,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    per_query: bool,
    format: Format | None,
    output: Path | None,
    digits: int,
    database: Path | None,
    columns: tuple[str, ...],
    topics: str | None,
    explain: bool,
    memory_limit: str | None,
    threads: int | None,
    temp_folder: Path | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Score runs against judgments.

    QRELS are judgments: a CSV, TSV, JSON lines, Parquet or TREC file, also .gz or .zst; a URL; -
    for standard input; a table of --database. Each RUN is a file of the same formats, a folder or
    pattern of them, a table, or any of these with a name before it: bm25=run.txt; a named folder
    is one run in many files.
    """
    if explain and format:
        raise click.BadParameter("--explain prints text: leave out --format")
    chosen = format or choose_format(output)
    if chosen == "parquet" and output is None:
        raise click.BadParameter("parquet needs a file: add -o FILE")
    if per_query and options["into"]:
        raise click.BadParameter("--into leaves the scores of queries there: leave out --per-query")
    if chosen == "trec" and options["by"]:
        raise click.BadParameter("trec has no place for segments: leave out --by, or take csv")
    names = _read_columns(columns)
    if options["engine"]:
        if explain or database or memory_limit or threads or temp_folder:
            raise click.BadParameter(
                "--explain, --database, --memory-limit, --threads and --temp-folder are for "
                "DuckDB: leave them out with --engine"
            )
        found = [_name_input(run, str) for run in runs]
        scores = sqlmetrics.evaluate(qrels, found, metrics, columns=names, topics=topics, **options)
        _print_scores(scores, metrics, options, chosen, output, digits, per_query=per_query)
        return
    with _connect(database, memory_limit, threads, temp_folder) as con:
        inputs = _find_inputs(qrels, runs, database, topics)
        if explain:
            measures.parse(metrics)
            told = {name: options[name] for name in ("run_names", "depth", "strategy")}
            write(sqlmetrics.explain(*inputs, con=con, columns=names, **told) + "\n", output)
            return
        scores = sqlmetrics.evaluate(
            *inputs,
            metrics,
            con=con,
            columns=names,
            topics=topics and _find_input(topics, database),
            **options,
        )
    _print_scores(scores, metrics, options, chosen, output, digits, per_query=per_query)


def _print_scores(
    scores: sqlmetrics.Scores,
    metrics: tuple[str, ...],
    options: Mapping[str, Any],
    chosen: Format,
    output: Path | None,
    digits: int,
    *,
    per_query: bool,
) -> None:
    for note in scores.notes:
        print(f"note: {note}", file=sys.stderr)
    if chosen == "trec":
        agreed = choose(options["preset"], rel=options["rel"]).parameters
        lines = measures.list_trec_lines(metrics, agreed, options["aggregate"])
        write(format_trec(scores, lines, digits, per_query=per_query), output)
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
                _limit_memory(con, memory_limit)
            yield con


def _limit_memory(con: duckdb.DuckDBPyConnection, size: str) -> None:
    with suppress(duckdb.Error):
        if re.match(r"\s*[\d.]", size):  # for DuckDB, -1 is no limit
            con.execute(f"SET memory_limit = {quote(size)}")
            return
    problem = f"Invalid size '{size}'; expected e.g. 2GB"
    raise click.BadParameter(problem, param_hint="--memory-limit")


def _find_inputs(
    qrels: str, runs: Sequence[str], database: Path | None, *others: str | None
) -> tuple[Any, list[Any]]:
    """The inputs as Python takes them: paths, URLs, open files, tables, runs by name.

    ``others`` are those of further inputs, which standard input can be only once.
    """
    if [qrels, *runs, *others].count("-") > 1:
        raise sqlmetrics.InputError("standard input can be read only once")
    found = [_name_input(run, lambda data: _find_input(data, database)) for run in runs]
    return _find_input(qrels, database), found


def _name_input(run: str, find: Callable[[str], Any]) -> Any:  # noqa: ANN401
    """What is found of a run, by the name before it where there is one: bm25=run.txt."""
    name, equals, data = run.partition("=")
    if equals and name and "/" not in name and not Path(run).exists():
        return {name: find(data)}
    return find(run)


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


def _read_columns(given: Sequence[str]) -> dict[str, list[str | int]]:
    """``query_id=q,doc_id=2`` as a dict; a column named twice has a choice of names."""
    columns: dict[str, list[str | int]] = {}
    for pair in (pair for pairs in given for pair in pairs.split(",")):
        column, equals, name = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"write --columns as query_id=NAME, not {pair}")
        choice = int(name) if re.fullmatch(r"[0-9]{1,9}", name) else name
        columns.setdefault(column.strip(), []).append(choice)
    return columns


def _is_metric(text: str) -> bool:
    try:
        return bool(measures.parse(text))
    except sqlmetrics.MetricError:
        return False


@app.command()
@_inputs
@_take_format("a report", _LISTS)
@_output
@click.option("--strict", is_flag=True, help="End with status 1 for warnings, too.")
@click.option(
    "--documents",
    help="The collection: a file or table with the column doc_id, to look ids up.",
)
@click.option("--max-rel", type=float, help="Highest grade of the scale.")
@_rel
@_reading
@_limits
def check(
    qrels: str,
    runs: tuple[str, ...],
    *,
    format: Format | None,
    output: Path | None,
    strict: bool,
    documents: str | None,
    rel: float | None,
    database: Path | None,
    columns: tuple[str, ...],
    memory_limit: str | None,
    threads: int | None,
    temp_folder: Path | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Look at judgments and runs before scoring: what is wrong with them, and what is odd.

    QRELS and RUN are as for evaluate. Ends with status 1 when there are errors, with which a number
    would be wrong.
    """
    with _connect(database, memory_limit, threads, temp_folder) as con:
        findings = sqlmetrics.check(
            *_find_inputs(qrels, runs, database, documents),
            con=con,
            columns=_read_columns(columns),
            rel=1 if rel is None else rel,
            documents=documents and _find_input(documents, database),
            **options,
        )
    chosen = format or choose_format(output)
    if chosen == "table":
        write(format_findings(findings), output)
    else:
        write_frame(findings, chosen, output)
    if (strict and findings.height) or "error" in findings["severity"]:
        raise click.exceptions.Exit(1)


@app.command()
@click.argument("name")
@_inputs
@_take_format("a table", _LISTS)
@_output
@_digits
@_reading
@_rel
@_limits
def curve(
    name: str,
    qrels: str,
    runs: tuple[str, ...],
    *,
    format: Format | None,
    output: Path | None,
    digits: int,
    database: Path | None,
    columns: tuple[str, ...],
    memory_limit: str | None,
    threads: int | None,
    temp_folder: Path | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """The points of a curve: precision and recall by rank, precision over recall, or ROC.

    NAME is precision_recall_table, precision_recall_curve or roc_curve, with parameters as
    'precision_recall_curve(interpolated=True, averaged=True)'; QRELS and RUN are as for evaluate.
    """
    with _connect(database, memory_limit, threads, temp_folder) as con:
        points = sqlmetrics.curve(
            name,
            *_find_inputs(qrels, runs, database),
            con=con,
            columns=_read_columns(columns),
            **options,
        )
    write_frame(points, format or choose_format(output), output, digits)


@app.command("metrics")
@click.argument("names", metavar="[METRIC]...", nargs=-1)
@_metric_files
@_list_format
def list_metrics(names: tuple[str, ...], format: Format) -> None:
    """List the metrics, or tell all about some: formula, parameters, who agrees and who differs.

    METRIC is any name of one, such as ndcg_cut_10; without one all are listed.
    """
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
@_list_format
def list_presets(format: Format) -> None:
    """List the presets: the conventions of other tools."""
    write_frame(sqlmetrics.presets(), format)


@app.command("sql")
@click.argument("metrics", metavar="[METRIC]...", nargs=-1)
@_metric_files
@_output
@click.option(
    "--dialect",
    type=click.Choice([*ENGINES]),
    help="One SELECT that needs no macros, for this engine.",
)
@click.option("--qrels", default="qrels", show_default=True, help="The table of judgments.")
@click.option("--run", default="run", show_default=True, help="The table of the run, or of runs.")
@_columns
@_conventions
@click.option("--mean", is_flag=True, help="A row per run, not per query.")
@_summaries
@click.option("--schema", help="Create the macros in this schema, to be called as lab.ndcg(j).")
@click.option("--remove", is_flag=True, help="Print what takes all macros away again.")
def print_sql(
    metrics: tuple[str, ...],
    output: Path | None,
    *,
    columns: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Print the SQL: all macros, for 'duckdb -init', or those of some metrics and a SELECT.

    With --dialect it is one plain SELECT over tables of that engine. --columns run_id=system says
    that there are several runs, subtopic=intent that judgments are by subtopic.
    """
    named: dict[str, Any] = {ours: choices[-1] for ours, choices in _read_columns(columns).items()}
    text = sqlmetrics.sql(metrics or None, columns=named, **options)
    write(f"{text};\n" if options["dialect"] else text, output)


def main() -> None:
    """Run the command line; what is wrong with the input is said in a line, without a trace."""
    if sys.stderr is None:  # closed; print would take stdout instead
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    # tidy up; polars has put a handler of its own in place of Python's
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        app()
    except sqlmetrics.SqlMetricsError as error:
        sys.exit(_report(str(error), 2))
    except OSError as error:
        if sys.stdout is not None:  # what is left to print would fail again when Python ends
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
