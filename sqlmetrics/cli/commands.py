"""Commands, in the order of use: what each adds to the function of its name."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, get_args

import click
import polars as pl

import sqlmetrics

from ..catalogue import parsing
from ..comparing.compare import require_options
from ..comparing.gate import read_options
from ..doctor import list_checked
from ..errors import refuse
from ..fusing.methods import describe_parameters, list_methods, list_normalizations
from ..inputs.data import RunNames
from ..inputs.tables import holds_scores
from ..progress import remark
from ..script import is_query
from ..translate.features import ENGINES
from .app import MORE, START
from .declared import command
from .formats import (
    CHARTED,
    CHARTS,
    LAYOUTS,
    LISTS,
    RUN_FORMATS,
    Format,
    format_findings,
    format_trec,
)
from .inputs import NAMED, group_tables
from .output import Output, Shown, write
from .pages import describe, list_most_used
from .types import TABLE, File, Files, Metric, MetricOrQuery, New, Query, Scoring, Words, Written


@command(START, sqlmetrics.evaluate, formats=get_args(Format))
def evaluate(
    to: Output,
    qrels: File = None,
    run: Files = (),
    *,
    metrics: Sequence[Metric] | None = None,
    per_query: bool = False,
    sort: str | None = None,
    run_names: RunNames | None = None,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Score runs against judgments, or a click log.

    QRELS are judgments: a CSV, TSV, JSON lines, Parquet or TREC file, also .gz or .zst; a URL; -
    for standard input; a table of --database; none where no metric needs them. Each RUN is a file
    of the same formats, a folder or pattern of them, a table, or any of these with a name before
    it: bm25=run.txt; a named folder is one run in many files. Responses of search engines are runs,
    too: see docs/search-engines.md. --log takes the place of both: see docs/clicks.md.

    - ``metrics``: such as 'nDCG@10 AP RBP(p=0.8)'; by default nDCG@10 AP RR P@10 R@100, and
      trec_eval's official ones with -f trec.
    - ``per_query``: a row per query, then the mean.
    - ``sort``: sort by the scores of this metric, highest first.
    - ``run_names``: a run is named after its file or table, the default, or after the tag in the
      last column of TREC text; with -f trec, a single file is named after its tag.
    """
    is_trec = to.format == "trec"
    given = {f"--{each}": options[each] for each in ("log", "by", "into")} | {"--sort": sort}
    without = {"--per-query": "--log --into" * per_query, "-f trec": "--log --by --sort" * is_trec}
    for option, others in without.items():
        other = " and ".join(each for each in others.split() if given[each])
        refuse({f"{option} does not go with {other}; remove one of them": other})
    wanted = metrics or (["official"] if is_trec else None)
    one_file = [Path(str(each)).is_file() for each in run] == [True]
    by_tag = is_trec and one_file and not (run_names or options["engine"])
    options["run_names"] = "tag" if by_tag else run_names or "file"
    scores = sqlmetrics.evaluate(qrels, run or None, wanted, **options)
    if by_tag and scores.mean.height > 1:  # several tags are one run, as for trec_eval
        scores = sqlmetrics.evaluate(qrels, run, wanted, **options | {"run_names": "file"})
    if wanted and is_trec:
        exact = "trec_eval up to 9 reads scores in 32 bits, as --preset trec_eval-9 does"
        lines = parsing.list_trec_lines(wanted, scores.conventions.parameters, options["aggregate"])
        printed = format_trec(scores, lines, to.digits, per_query=per_query)
        return Shown(printed, notes=[*scores.notes, *[exact] * (not options["preset"])])
    frame, notes = scores.per_query if per_query else scores.mean, [*scores.notes]
    if scores.weight in frame.columns and "weight" not in frame.columns:
        frame = frame.rename({scores.weight: "weight"})  # as what compares scores reads it
    if sort:
        by = _find_column(sort, scores)
        keys = [by, *(key for key in ("run_id", "query_id") if key in frame.columns)]
        frame = frame.sort(keys, descending=[True, *[False] * (len(keys) - 1)], nulls_last=True)
    if per_query and to.format in LAYOUTS:
        frame = pl.concat([frame, scores.mean.with_columns(query_id=pl.lit("all"))], how="diagonal")
        if not sort:
            names = pl.Enum(scores.mean["run_id"].unique(maintain_order=True))
            frame = frame.sort(pl.col("run_id").cast(names), maintain_order=True)
    elif per_query:
        whole = [each for each in scores if each not in frame.columns]
        said = f"of a whole run, not of its queries: {', '.join(whole)}; leave out --per-query"
        notes += [said] if whole else []
    if to.format in LAYOUTS:
        return Shown(replace(scores, mean=frame))
    return Shown(scores if to.format in CHARTS else frame, notes=notes)


def _find_column(name: str, scores: sqlmetrics.Scores) -> str:
    """The column of a metric, by any of its names."""
    if name in scores:  # one that was chosen may be no metric's
        return name
    wanted = parsing.parse(name, scores.conventions.parameters)
    if found := [measure.name for measure in scores.metrics if [measure] == wanted]:
        return found[0]
    said = f"{name} is not among the metrics: {', '.join(scores)}"
    raise click.BadParameter(said, param_hint="--sort")


@command(
    START,
    sqlmetrics.compare,
    also="metrics by weight topics",
    formats=CHARTED,
    run={"metavar": "BASELINE RUN...", "required": False},
)
def compare(
    qrels: File,
    run: Files,
    scoring: Scoring,
    *,
    bounds: bool = False,
    show_queries: Annotated[int, click.IntRange(1)] | None = None,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Compare runs query by query, and test the differences.

    Each RUN is compared with BASELINE: the difference of the means with its interval, wins, ties
    and losses, the effect, and p-values. QRELS and runs are as for evaluate.

    - ``by``: compare within each value of this column of the topics.
    - ``bounds``: also report which runs unjudged documents may reverse, by the bounds of scores.
    - ``show_queries``: also the queries that gain and lose most, this many of each.
    """
    need = "compare needs two runs: QRELS BASELINE RUN...; scores go to compared"
    refuse({need: not run})
    require_options(options)  # before anything is scored
    divided = [name for name in ("by", "weight", "topics") if bounds and scoring.pop(name)]
    refuse({f"bounds are of plain means; remove --{' and --'.join(divided)}": divided})
    score = sqlmetrics.bounds if bounds else sqlmetrics.evaluate
    scores = score(qrels, run, **scoring)
    remark(scores.notes)
    refuse({need: scores.mean["run_id"].n_unique() < 2})
    found = scores.compare(**options)
    data = found.rank_queries(show_queries) if show_queries else None
    return Shown(found, data, options={"queries": show_queries})


_LIMITS = ("fail_under", "max_loss", "max_query_loss")


@command(
    START,
    sqlmetrics.gate,
    also="by weight topics",
    formats=("table", "json", "markdown"),
    run={"metavar": "[BASELINE] RUN"},
    baseline={"type": str, "metavar": "NAME", "help": "Which run is the baseline, of one table."},
)
def gate(
    to: Output,
    qrels: File,
    run: Files,
    scoring: Scoring,
    *,
    junit: Written | None = None,
    summary: Written | None = None,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Decide whether a run is good enough to be released.

    Ends with status 0 if no check fails, 1 if one fails, 2 if it cannot be decided because the
    input or an option is wrong. BASELINE is another run, or the scores of an earlier
    release: what evaluate --per-query -o kept.parquet wrote. QRELS and runs are as for evaluate.

    - ``by``: compare within each value of this column of the topics.
    - ``junit``: also write the checks to this file, as JUnit's XML.
    - ``summary``: also append them to this file, as Markdown: ``"$GITHUB_STEP_SUMMARY"``.
    """
    refuse({"a gate takes one RUN, and at most one BASELINE before it": len(run) > 2})
    limits: dict[str, Any] = {name: options.pop(name) or {} for name in _LIMITS}
    deciding = {name: options[name] for name in ("alpha", "correction", "strict", "allow")}
    read_options(**deciding, **limits)  # before anything is scored
    limit = "--max-loss nDCG@10=2%" if len(run) > 1 else "--fail-under nDCG@10=0.4"
    line = f"{shlex.join(['sqlmetrics', *sys.argv[1:]])} {limit}"
    refuse({f"no limit to check; try\n  {line}": not any(limits.values())})
    if len(run) == 2 and holds_scores(str(run[0]), scoring["columns"]):
        options["baseline"], run = Path(str(run[0])), run[1:]
    found = sqlmetrics.gate(qrels, run, **options, **limits, **scoring)
    if junit:
        write(found.write("junit", to.digits), junit)
    if summary:
        write(found.write("markdown", to.digits), summary, after=True)
    return Shown(found.write("json") if to.format == "json" else found, has_failed=not found)


command(START)(sqlmetrics.explain_query)


@command(
    START,
    sqlmetrics.report,
    also="metrics aggregate by weight topics",
    writes="output",
    output={"required": True, "help": "The file to write."},
)
def report(
    to: Output,
    qrels: File,
    run: Files,
    scoring: Scoring,
    *,
    baseline: str | None = None,
    title: str | None = None,
) -> str:
    """Write a page of scores, comparisons, charts and queries.

    It is one file that needs no other files and no network. Charts show the first metric. QRELS and
    RUN are as for evaluate.
    """
    if to.output and to.output.suffix.lower() in (".pdf", ".png", ".svg", ".md", ".docx"):
        raise click.BadParameter("a report is HTML; name it .html", param_hint="--output")
    asked = {"run": run, "baseline": baseline, "title": title}
    return sqlmetrics.report(qrels, **asked | scoring).html


@command(
    START,
    sqlmetrics.check,
    also=" ".join(list_checked()),
    writes="format output",
    format={"help": "Default: by the output file's name, else a report."},
)
def check(
    to: Output,
    qrels: File = None,
    run: Files = (),
    *,
    strict: bool = False,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Look for problems in judgments and runs, or in other tables.

    Errors would make scores wrong, and end with status 1; warnings are about what is odd. QRELS and
    RUN are as for evaluate; to check a run alone, write none for QRELS.

    - ``strict``: end with status 1 for warnings, too.
    """
    given = {name: value for name, value in options.items() if value is not None}
    found = sqlmetrics.check(qrels, run or None, **given)
    has_failed = bool(strict and found.height) or "error" in found["severity"]
    return Shown(format_findings(found) if to.format == "table" else found, has_failed=has_failed)


@command(
    START,
    sqlmetrics.query,
    arguments="query",
    tables={
        "flags": "--table -t",
        "metavar": "NAME=FILE",
        "type": NAMED,
        "callback": lambda _context, _option, given: group_tables(given),
    },
)
def query(query: Query, *, tables: Files = (), **options: Any) -> pl.DataFrame:  # noqa: ANN401
    """Run a SELECT over the macros.

    QUERY is SQL, or a file with it, over the tables that --table names and those of --database:
    "SELECT query_id, ndcg(j) FROM judged(qrels, run) AS j GROUP BY ALL". What a table is follows
    from the macro that it is passed to.

    - ``tables``: a table of the query: log=clicks.parquet; several files of one name are runs.
    """
    return sqlmetrics.query(query, **options, **tables)


@command(
    START,
    sqlmetrics.sql,
    arguments="metrics",
    writes="output",
    metrics={"metavar": "[METRIC|SELECT]..."},
    dialect={"type": Words([*ENGINES])},
    topics={"type": TABLE, "metavar": "TABLE"},
)
def sql(metrics: Sequence[MetricOrQuery] = (), **options: Any) -> str:  # noqa: ANN401
    """Print the SQL of metrics, or of any SELECT over the macros.

    Without METRIC, print all macros, for 'duckdb -init'; with some, their macros and a SELECT. With
    --dialect, print one plain SELECT over tables of that engine. --columns run_id=system says that
    there are several runs, subtopic=intent that judgments are by subtopic. SELECT is SQL, or a file
    with it: "FROM roc_curve(qrels, run)".
    """
    is_select = len(metrics) == 1 and is_query(metrics[0])
    text = sqlmetrics.sql(metrics[0] if is_select else metrics or None, **options)
    is_plain = options["dialect"] or options["checks"]
    return f"{text}{'' if options['dbt'] else ';'}\n" if is_plain else text


@command(START, arguments="database", writes="")
def install(database: New, *, schema: str | None = None, remove: bool = False) -> str:
    """Create the macros in a DuckDB database file.

    DATABASE is created if it does not exist. A shell opens it faster than it reads the script of
    'sqlmetrics sql': duckdb metrics.duckdb.

    - ``schema``: create the macros in this schema; call them as lab.ndcg(j).
    - ``remove``: remove the macros from the database.
    """
    if remove:
        sqlmetrics.uninstall(database, schema=schema)
        return f"removed the macros from {database}\n"
    sqlmetrics.install(database, schema=schema)
    return f"to open a shell with the macros, type: duckdb {shlex.quote(str(database))}\n"


@command(
    MORE,
    arguments="names",
    formats=LISTS,
    writes="format",
    names={"metavar": "[METRIC]..."},
)
def metrics(to: Output, names: Sequence[Metric] = ()) -> pl.DataFrame | str:
    """List the metrics, or describe some.

    METRIC is any name of one, such as ndcg_cut_10, or a family, such as users. The page of a metric
    has the formula, the parameters, the SQL, and the tools that agree or differ.
    """
    is_text, listed = to.format in LAYOUTS, sqlmetrics.metrics()
    if names and {*names} <= {*listed["family"]}:
        found = listed.filter(pl.col("family").is_in(names))
    elif names and is_text:
        asked = {metric: name for name in names for metric in parsing.find_metrics([name])}
        return "\n".join(map(describe, asked, asked.values()))
    else:
        found = sqlmetrics.metrics(*names)
    if is_text:
        found = found.sort("family", maintain_order=True)
        if not names and to.format == "table":  # those that most people look for come first
            most = sqlmetrics.metrics(*(metric.names[0] for metric in list_most_used()))
            found = pl.concat([most.with_columns(family=pl.lit("used most")), found])
        found = found.select("family", "name", "formula")
    return found


_ONE = {"type": str, "metavar": "[PRESET]"}
command(MORE, arguments="preset", formats=LISTS, writes="format", preset=_ONE)(sqlmetrics.presets)


_METHODS = Words([*list_methods()])
_FUSION: dict[str, Any] = {name: {"help": said} for name, said in describe_parameters().items()}
_FUSION["normalization"]["type"] = Words(list_normalizations())
_FUSION |= {"training": {"metavar": "RUN"}, "method": {"type": _METHODS}}
_FUSION["k"]["flags"] = "--k"  # -k is a number of ranks
command(MORE, arguments="run", formats=RUN_FORMATS, **_FUSION)(sqlmetrics.fuse)
command(MORE, settings=None, methods={"flags": "--method", "type": _METHODS})(sqlmetrics.tune)
command(MORE)(sqlmetrics.pool_bias)
command(MORE, writes="")(sqlmetrics.explain)


@command(MORE, sqlmetrics.bounds, formats=CHARTED)
def bounds(
    qrels: File,
    run: Files,
    *,
    per_query: bool = False,
    undecided: bool = False,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Show how far unjudged documents may move scores.

    Once the documents down to the cut-off are judged, a score is between its bounds. QRELS and runs
    are as for evaluate.

    - ``per_query``: bounds of each query.
    - ``undecided``: instead, the pairs of runs whose bounds overlap.
    """
    found = sqlmetrics.bounds(qrels, run, **options)
    if undecided:
        return Shown(found.undecided, notes=found.notes)
    data = found.per_query if per_query else found.mean
    return Shown(found, data, options={"per_query": per_query})
