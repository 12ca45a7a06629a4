"""Options: what several commands take, in groups."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import click
import cloup
from click.shell_completion import CompletionItem

import sqlmetrics

from ..catalogue.conventions import ScoreType, Ties
from ..inputs.data import RunNames
from ..score import DEFAULT_METRICS
from .app import INPUT, Completed
from .derived import NUMBER
from .formats import CHARTED, FORMATS, RUN_FORMATS


class _Written(click.Path):
    """A file to write, in a folder that exists."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        if not str(value):
            self.fail("the name is empty", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"the folder {path.parent} does not exist", param, ctx)
        return path


WRITTEN = _Written()


def _find_metrics(begun: str) -> Iterator[CompletionItem]:
    """For the last of several names."""
    before, blank, last = begun.rpartition(" ")
    for names in sqlmetrics.metrics()["name"]:
        for name in names.split(", "):
            if name.lower().startswith(last.lower()):
                yield CompletionItem(f"{before}{blank}{name}")


def _find_presets(begun: str) -> Iterator[CompletionItem]:
    names = sqlmetrics.presets()["preset"]
    return (CompletionItem(name) for name in names if name.startswith(begun))


METRIC = Completed(_find_metrics)


def format_of(
    default: str, formats: Sequence[str] = FORMATS
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    help = f"Default: by the output file's name, else {default}."
    return cloup.option("--format", "-f", type=click.Choice(formats), help=help)


qrels = cloup.argument("qrels")

runs = cloup.argument("runs", metavar="RUN...", nargs=-1, required=True)

LISTS = ("table", "csv", "json", "jsonl", "markdown")

list_format = cloup.option(
    "--format", "-f", type=click.Choice(LISTS), default="table", help="Output format."
)

output = cloup.option(
    "--output",
    "-o",
    type=WRITTEN,
    help="Write to this file, whole or not at all.",
)

digits = cloup.option(
    "--digits",
    type=click.IntRange(0, 100),
    default=4,
    show_default=True,
    help="Decimals in tables and trec; data formats have all.",
)

# What a command that shows a table has in its group of output.
table = (format_of("a table"), output, digits)

writing = cloup.option_group("Output", *table)

# The same where it can be drawn, too.
charted = (format_of("a table", CHARTED), output, digits)

drawing = cloup.option_group("Output", *charted)

# The same where it is a run.
writing_runs = cloup.option_group("Output", format_of("a table", RUN_FORMATS), output, digits)

columns = cloup.option(
    "--columns",
    "-c",
    multiple=True,
    help="Which column is which, where their names do not say so: query_id=q,doc_id=sku; by "
    "number without a header: query_id=1,doc_id=2,score=3.",
)

database = cloup.option(
    "--database",
    "-d",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="DuckDB file with tables.",
)

# Of a command whose inputs are tables of any kind.
tables = (database, columns)

reading = cloup.option_group(
    "Input",
    *tables,
    cloup.option(
        "--run-names",
        type=click.Choice(get_args(RunNames)),
        default="file",
        show_default=True,
        help="Name runs by their files, or by the tag in the last column of TREC text.",
    ),
)

engine = cloup.option(
    "--engine",
    help="Compute on Spark: its master or Connect server, such as spark://host:7077, sc://host "
    "or local[*]. The inputs are tables there, or Parquet files that it can read.",
)

log_reading = cloup.option_group(
    "Input",
    database,
    cloup.option(
        "--columns",
        "-c",
        multiple=True,
        help="Which column is which, where their names do not say so: page_id=search,doc_id=sku.",
    ),
)

limits = cloup.option_group(
    "Limits",
    cloup.option(
        "--memory-limit",
        help="Memory for DuckDB, such as 2GB; by default four fifths of the machine's. What does "
        "not fit goes to the folder for temporary files. JSON other than JSON lines is read whole, "
        "outside this limit.",
    ),
    cloup.option(
        "--threads", type=click.IntRange(1, 1024), help="Threads for DuckDB; all by default."
    ),
    cloup.option(
        "--temp-folder",
        type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
        help="Folder for temporary files, if the system's is too small.",
    ),
)


def metrics_of(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The metrics, with the help that a command has for them."""
    return cloup.option(
        "--metrics",
        "-m",
        multiple=True,
        type=METRIC,
        callback=lambda _context, _option, metrics: metrics or None,
        help=help,
    )


metrics = metrics_of(f"Such as 'nDCG@10 AP RBP(p=0.8)'; by default {DEFAULT_METRICS}.")

rel = cloup.option("--rel", type=NUMBER, help="Relevance from which a document is relevant.")

exclude = cloup.option(
    "--exclude",
    metavar="TABLE|self",
    help="Leave these documents out of runs before they are ranked: a file or table with query_id "
    "and doc_id; or self, so that no query finds itself.",
)

conventions = cloup.option_group(
    "Conventions",
    cloup.option(
        "--preset",
        type=Completed(_find_presets),
        help="Conventions of a tool, such as trec_eval-9; 'sqlmetrics presets' lists all.",
    ),
    cloup.option(
        "--ties",
        type=click.Choice(get_args(Ties)),
        help="Order of documents with the same score: by document id, descending (default) or "
        "ascending; as in the input; by its column rank; relevant ones first (best) or last "
        "(worst); or the expected score over all their orders.",
    ),
    cloup.option(
        "--score-type",
        type=click.Choice(get_args(ScoreType)),
        help="How scores are compared; trec_eval up to version 9 used float32.",
    ),
    cloup.option("--depth", type=int, help="Rank only this many documents of each query."),
    cloup.option(
        "--judged-only",
        is_flag=True,
        default=None,
        help="Leave unjudged documents out of the ranking.",
    ),
    rel,
    cloup.option(
        "--queries",
        help="Which queries count: judged (default), those also answered by the run, those with "
        "something relevant, or 'answered, relevant'.",
    ),
    cloup.option(
        "--no-relevant",
        type=NUMBER,
        help="Score of a query with nothing relevant; 0 by default.",
    ),
    exclude,
)

topics = cloup.option(
    "--topics",
    type=INPUT,
    help="A file or table of queries, with query_id and these columns; without it they are columns "
    "of the judgments, of exact neighbours, or of the history of users.",
)

summaries = cloup.option_group(
    "Scores of runs",
    cloup.option(
        "--aggregate",
        help="A run's score from its queries': mean, geometric, harmonic, median, std, min, max, "
        "sum, p25 and other percentiles, or pooled, over all rankings taken together.",
    ),
    cloup.option(
        "--by",
        multiple=True,
        help="A row per run and value of this column of the topics; may be repeated.",
    ),
    cloup.option(
        "--weight",
        help="The column of the topics that says how much a query counts in means.",
    ),
    topics,
)
