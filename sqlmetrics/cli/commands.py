"""Commands, in the order of use: what each adds to the function of its name."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import click
import polars as pl

import sqlmetrics

from ..catalogue import parsing
from ..catalogue.conventions import choose
from ..catalogue.measures import Measure
from ..catalogue.rules import Value
from ..comparing import read_limits, require_options
from ..doctor import list_checked
from ..elsewhere.features import ENGINES
from ..fusing import describe_parameters, learns, list_methods, list_normalizations, uses_scores
from ..inputs.columns import KINDS
from ..inputs.scores import holds_scores
from ..progress import remark
from ..score import DEFAULT_METRICS
from ..script import is_query
from .app import MORE, START
from .declared import command
from .derived import read_signature
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
from .inputs import find_first, read_pairs, refuse_limits
from .output import Output, Shown, is_terminal, write
from .pages import describe
from .types import INPUT, Count, File, Files, Metric, New, Query, Written


def refuse(message: str, *conditions: object) -> None:
    """Raise an error for options that do not go together, if they all are given."""
    if all(conditions):
        raise click.BadParameter(message)


@command(
    START,
    {
        "Metrics": "metrics",
        "Logs and recommendations": "log history items baseline",
        "Output": "per_query sort",
        "Intervals": "intervals alpha",
        "Where it runs": "explain engine into",
    },
    sqlmetrics.evaluate,
    formats=get_args(Format),
    qrels={
        "metavar": "[QRELS",
        "callback": lambda _context, _argument, qrels: None if qrels == "none" else qrels,
    },
    run={"metavar": "RUN...]"},
    baseline={"multiple": False},
)
def evaluate(
    to: Output,
    qrels: File = None,
    run: Files = (),
    *,
    metrics: Sequence[Metric] | None = None,
    per_query: bool = False,
    sort: str | None = None,
    explain: bool = False,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Score runs against judgments, or a log of clicks.

    QRELS are judgments: a CSV, TSV, JSON lines, Parquet or TREC file, also .gz or .zst; a URL; -
    for standard input; a table of --database; none where no metric needs them. Each RUN is a file
    of the same formats, a folder or pattern of them, a table, or any of these with a name before
    it: bm25=run.txt; a named folder is one run in many files. Responses of search engines are runs,
    too: see docs/search-engines.md. --log takes the place of both: see docs/clicks.md.

    - ``metrics``: such as 'nDCG@10 AP RBP(p=0.8)'; by default nDCG@10 AP RR P@10 R@100, and
      trec_eval's official ones with -f trec.
    - ``per_query``: scores of each query, and in tables the mean.
    - ``sort``: sort by the scores of this metric, highest first.
    - ``explain``: only print how much there is to score, and how much memory it takes.
    """
    is_trec, log = to.format == "trec", options["log"]
    given = click.get_current_context().params
    if not run and (qrels or log is None):
        hint = "'RUN...'" if qrels else "'QRELS'"
        raise click.MissingParameter(param_type="argument", param_hint=hint)
    for name, is_on in (("--explain", explain), ("--per-query", per_query), ("-f trec", is_trec)):
        refuse(f"{name} is for runs, and not for --log; remove one of them", is_on, log is not None)
    refuse("--explain prints text; remove --format", explain, given["format"])
    refuse("--explain needs judgments; name them in place of none", explain, qrels is None)
    said = "--into already writes the scores of queries; remove --per-query"
    refuse(said, per_query, options["into"])
    refuse("the trec format has no segments; remove --by or use csv", is_trec, options["by"])
    refuse("the trec format is not sorted; remove --sort or use csv", is_trec, sort)
    if explain:
        refuse_limits(options["engine"])
        parsing.parse(metrics or DEFAULT_METRICS)
        reading = {name: options[name] for name in ("con", "columns", "run_names")}
        return Shown(f"{sqlmetrics.explain(qrels, run, **reading)}\n")
    if is_trec:
        metrics = metrics or ["official"]
    scores = sqlmetrics.evaluate(qrels, run or None, metrics, **options)
    agreed = choose(None, {"preset": options["preset"], "rel": options["rel"]}).parameters
    if is_trec:
        lines = parsing.list_trec_lines(metrics or (), agreed, options["aggregate"])
        printed = format_trec(scores, lines, to.digits, per_query=per_query)
        return Shown(printed, notes=scores.notes)
    frame, notes = scores.per_query if per_query else scores.mean, [*scores.notes]
    if sort:
        by = _find_column(sort, scores, agreed)
        keys = [by, *(key for key in ("run_id", "query_id") if key in frame.columns)]
        frame = frame.sort(keys, descending=[True, *[False] * (len(keys) - 1)], nulls_last=True)
    if per_query and to.format in LAYOUTS:
        frame = pl.concat([frame, scores.mean.with_columns(query_id=pl.lit("all"))], how="diagonal")
        if not sort:
            names = pl.Enum(scores.mean["run_id"].unique(maintain_order=True))
            frame = frame.sort(pl.col("run_id").cast(names), maintain_order=True)
    elif per_query:
        notes += _note_whole(scores)
    if to.format in CHARTS or (to.format == "latex" and not per_query):
        return Shown(scores if per_query else replace(scores, mean=frame))
    return Shown(frame, notes=notes)


def _find_column(name: str, scores: sqlmetrics.Scores, agreed: Iterable[tuple[str, Value]]) -> str:
    """The column of a metric, by any of its names."""
    wanted = parsing.parse(name, agreed)
    for measure in scores.metrics:
        if measure.name == name or [measure] == wanted:
            return measure.name
    names = ", ".join(measure.name for measure in scores.metrics)
    raise click.BadParameter(f"{name} is not among the metrics: {names}", param_hint="--sort")


def _note_whole(scores: sqlmetrics.Scores) -> list[str]:
    """A note on the metrics that only a whole run has, so that rows of queries lack them."""
    missing = [each.name for each in scores.metrics if each.name not in scores.per_query.columns]
    if not missing:
        return []
    are = "is a score" if len(missing) == 1 else "are scores"
    return [f"{', '.join(missing)} {are} of a whole run, not of its queries; leave out --per-query"]


_TESTS = "test correction family alpha interval within permutations samples seed common_queries"
_BY: dict[str, Any] = {
    "help": "Compare within each value of this column of the topics.",
    "callback": lambda _context, _option, columns: columns,
}


@command(
    START,
    {
        "Comparison": f"metrics baseline {_TESTS} all_pairs bounds",
        "Output": "show_queries",
        "Segments": "by topics",
    },
    sqlmetrics.compare,
    sqlmetrics.evaluate,
    formats=CHARTED,
    run={"metavar": "BASELINE RUN..."},
    by=_BY,
)
def compare(
    qrels: File,
    run: Files,
    *,
    metrics: Sequence[Metric] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    bounds: bool = False,
    show_queries: Count | None = None,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Compare runs query by query, and test the differences.

    Each RUN is compared with BASELINE: the difference of the means with its interval, wins, ties
    and losses, the effect, and p-values. QRELS and runs are as for evaluate.

    - ``metrics``: such as 'nDCG@10 AP RBP(p=0.8)'; by default nDCG@10 AP RR P@10 R@100.
    - ``baseline``: the run to compare with; by default the first one.
    - ``all_pairs``: compare every pair of runs; a mean shows the letters of the runs that it beats.
    - ``bounds``: also report which runs unjudged documents may reverse, by the bounds of scores.
    - ``show_queries``: also the queries that gain and lose most, this many of each.
    """
    refuse("--all-pairs has no baseline; remove --baseline", all_pairs, baseline)
    asked: Any = {name: options.pop(name) for name in _TESTS.split()}
    require_options(asked)  # before anything is scored
    if bounds and (options.pop("by") or options.pop("topics")):
        raise click.BadParameter("bounds are for all queries; remove --by and --topics")
    score = sqlmetrics.bounds if bounds else sqlmetrics.evaluate
    scores = score(qrels, run, metrics, **options)
    remark(scores.notes)
    if scores.mean["run_id"].n_unique() < 2:
        raise sqlmetrics.InputError("a comparison needs two runs: QRELS BASELINE RUN...")
    found = scores.compare(None if all_pairs else _name_baseline(scores, baseline), **asked)
    data = found.rank_queries(show_queries) if show_queries else None
    return Shown(found, data, options={"queries": show_queries})


def _name_baseline(scores: sqlmetrics.Scores | sqlmetrics.Bounds, given: str | None = None) -> str:
    """The name of the run that others are compared with: the one given, else the first."""
    known = scores.mean["run_id"].unique().sort().to_list()
    runs = click.get_current_context().params["run"]
    name = given or find_first(runs, known)
    if name in known:
        return str(name)
    said = f"no run named {given}" if given else f"{runs[0]} holds several runs"
    raise click.BadParameter(
        f"{said}; name the baseline: {', '.join(known)}", param_hint="--baseline"
    )


def _read_limits(
    _context: click.Context, option: click.Parameter, pairs: Sequence[str]
) -> dict[str, str]:
    """``nDCG@10=0.45`` by metric."""
    hint = option.opts[0]

    def identify(metric: str) -> Measure:
        measures = parsing.parse(metric)
        if len(measures) > 1:
            problem = f"{metric} names {len(measures)} metrics; give each a limit of its own"
            raise click.BadParameter(problem, param_hint=hint)
        return measures[0]

    example = "nDCG@10=0.45" if hint == "--fail-under" else "nDCG@10=2%"
    return read_pairs(pairs or (), hint, example, identify)


_LIMITS: dict[str, Any] = {
    name: {"callback": _read_limits, "metavar": f"METRIC={limit}"}
    for name, limit in (("fail_under", "SCORE"), ("max_loss", "LOSS"), ("max_query_loss", "LOSS"))
}
_DECIDING = "correction alpha strict allow"


@command(
    START,
    {
        "Checks": f"metrics {' '.join(_LIMITS)} {_DECIDING}",
        "Output": "",
        "Segments": "by topics",
    },
    sqlmetrics.gate,
    sqlmetrics.evaluate,
    formats=("table", "json", "markdown"),
    writes="format output junit summary digits",
    run={"metavar": "[BASELINE] RUN"},
    by=_BY,
    **_LIMITS,
)
def gate(
    to: Output,
    qrels: File,
    run: Files,
    *,
    metrics: Sequence[Metric] | None = None,
    junit: Written | None = None,
    summary: Written | None = None,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Decide whether a run is good enough to be released.

    Ends with status 0 if no check fails, 1 if one fails, 2 if it cannot be decided because the
    input or an option is wrong. BASELINE is another run, or the scores of an earlier
    release: what evaluate --per-query -o kept.parquet wrote. QRELS and runs are as for evaluate.

    - ``metrics``: such as 'nDCG@10 AP', if each of them must have a limit; all metrics with a limit
      are checked anyway.
    - ``junit``: also write the checks to this file, as JUnit's XML.
    - ``summary``: also append them to this file, as Markdown: ``"$GITHUB_STEP_SUMMARY"``.
    """
    if len(run) > 2:
        raise click.BadParameter("a gate takes one RUN, and at most one BASELINE before it")
    limits = {name: options.pop(name) for name in _LIMITS}
    deciding = {name: options.pop(name) for name in _DECIDING.split()}
    read_limits(**limits)  # before anything is scored
    for name in ("max_loss", "max_query_loss"):
        option = f"--{name.replace('_', '-')}"
        refuse(f"{option} needs a BASELINE before RUN", limits[name], len(run) < 2)
    given = [metric for each in limits.values() for metric in each]
    limited = parsing.parse(given) if given else []
    for measure in parsing.parse(metrics) if metrics else ():
        if measure not in limited:
            said = f"no limit for {measure.name}; add --fail-under {measure.name}=…, or --max-loss"
            raise click.BadParameter(said, param_hint="--metrics")
    baseline, *_ = typed = click.get_current_context().params["run"]
    is_kept = len(typed) == 2 and holds_scores(baseline, options["columns"])
    names = [measure.name for measure in limited] or None
    scores = sqlmetrics.evaluate(qrels, run[1:] if is_kept else run, names, **options)
    remark(scores.notes)
    if len(typed) == 2:
        deciding["baseline"] = Path(baseline) if is_kept else _name_baseline(scores)
    limits = {name: _name_metrics(each, scores) for name, each in limits.items()}
    found = sqlmetrics.gate(scores, **limits, **deciding)
    if junit:
        write(found.write_junit(to.digits), junit)
    if summary:
        write(found.write_markdown(to.digits), summary, after=True)
    shown = found.write_json() if to.format == "json" else found
    return Shown(shown, has_failed=not found)


def _name_metrics(limits: Mapping[str, Any], scores: sqlmetrics.Scores) -> dict[str, Any]:
    """The limits by the names that the scores have."""
    names = {measure: measure.name for measure in scores.metrics}
    return {names[parsing.parse(metric)[0]]: limit for metric, limit in limits.items()}


@command(
    START,
    {"Query": "query metric k"},
    sqlmetrics.explain_query,
    query={"flags": "--query -q", "required": True},
    k={"flags": "-k"},
)
def explain_query(qrels: File, run: Files, **options: Any) -> sqlmetrics.Documents:  # noqa: ANN401
    """Show why a query won or lost, document by document.

    The documents of RUNs are beside each other, with what each adds to the score.

    QRELS and RUNs are as for evaluate. Data formats have a row for each document and run.
    """
    return sqlmetrics.explain_query(qrels, run, **options)


_OTHERS: dict[str, Any] = {
    name: {
        "type": INPUT,
        "metavar": "FILE",
        "multiple": False,
        "help": f"{KINDS[name].likeness.capitalize()}.",
    }
    for name in list_checked()
}


@command(
    START,
    {"Other tables": " ".join(_OTHERS), "Checks": "strict documents max_rel rel"},
    sqlmetrics.check,
    writes="format output",
    format={"help": "Default: by the output file's name, else a report."},
    qrels={"metavar": "[QRELS"},
    run={"metavar": "RUN...]"},
    **_OTHERS,
)
def check(
    to: Output,
    qrels: File = None,
    run: Files = (),
    *,
    strict: bool = False,
    documents: File = None,
    max_rel: float | None = None,
    rel: float = 1,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Look for problems in judgments and runs, or in other tables.

    Errors would make scores wrong, and end with status 1; warnings are about what is odd. QRELS and
    RUN are as for evaluate.

    - ``strict``: end with status 1 for warnings, too.
    - ``documents``: the collection in which to look up ids: a file or table with the column doc_id.
    - ``max_rel``: highest grade of the scale.
    - ``rel``: relevance from which a document is relevant.
    """
    options |= {"documents": documents, "max_rel": max_rel, "rel": rel}
    given = {name: value for name, value in options.items() if value is not None}
    found = sqlmetrics.check(qrels, run or None, **given)
    has_failed = bool(strict and found.height) or "error" in found["severity"]
    return Shown(format_findings(found) if to.format == "table" else found, has_failed=has_failed)


def _read_tables(
    _context: click.Context, _option: click.Parameter, pairs: Sequence[str]
) -> dict[str, Any]:
    """Files by the names of their tables; several of one name are runs."""
    found: dict[str, Any] = {}
    for each in pairs:
        name, equals, path = each.partition("=")
        if not (name.isidentifier() and equals):
            raise click.BadParameter(f"write --table as NAME=FILE, not {each}")
        if name in read_signature(sqlmetrics.query) and name != "tables":
            raise click.BadParameter(f"--table cannot be called {name}; choose another name")
        found.setdefault(name, []).append(path)
    return {
        name: paths if len(paths) > 1 or "=" in paths[0] else paths[0]
        for name, paths in found.items()
    }


@command(
    START,
    {"Tables": "tables"},
    sqlmetrics.query,
    tables={"flags": "--table -t", "metavar": "NAME=FILE", "callback": _read_tables},
)
def query(query: Query, *, tables: Files = (), **options: Any) -> pl.DataFrame:  # noqa: ANN401
    """Run a SELECT over the macros.

    QUERY is SQL, or a file with it, over the tables that --table names and those of --database:
    "SELECT query_id, ndcg(j) FROM judged(qrels, run) AS j GROUP BY ALL". What a table is follows
    from the macro that it is passed to.

    - ``tables``: a table of the query: log=clicks.parquet; several files of one name are runs.
    """
    return sqlmetrics.query(_read_sql(query), **options, **tables)


def _read_sql(query: str) -> str:
    """The text of a query, or of the file that it names, without a semicolon at its end."""
    if query.endswith(".sql"):
        if not (file := Path(query)).is_file():
            raise click.BadParameter(f"the file {query} does not exist", param_hint="QUERY")
        query = file.read_text(encoding="utf-8")
    return query.rstrip().rstrip(";")


@command(
    START,
    {
        "SQL": "dialect mean select schema remove checks dbt",
        "Input": "qrels run log history items baseline",
    },
    sqlmetrics.sql,
    writes="output",
    metrics={"metavar": "[METRIC|SELECT]..."},
    dialect={"type": click.Choice([*ENGINES])},
)
def sql(metrics: Sequence[Metric] = (), **options: Any) -> str:  # noqa: ANN401
    """Print the SQL of metrics, or of any SELECT over the macros.

    Without METRIC, print all macros, for 'duckdb -init'; with some, their macros and a SELECT. With
    --dialect, print one plain SELECT over tables of that engine. --columns run_id=system says that
    there are several runs, subtopic=intent that judgments are by subtopic. SELECT is SQL, or a file
    with it: "FROM roc_curve(qrels, run)".
    """
    asked: Any = metrics or None
    if len(metrics) == 1 and (metrics[0].endswith(".sql") or is_query(metrics[0])):
        asked = _read_sql(metrics[0])
    text = sqlmetrics.sql(asked, **options)
    is_plain = options["dialect"] or options["checks"]
    return f"{text}{'' if options['dbt'] else ';'}\n" if is_plain else text


@command(START, {"Options": "schema remove"}, writes="")
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


_LISTED: dict[str, Any] = {
    "formats": LISTS,
    "writes": "format",
    "format": {"help": "Output format."},
}


@command(MORE, {}, name="metrics", names={"metavar": "[METRIC]..."}, **_LISTED)
def list_metrics(to: Output, names: Sequence[Metric] = ()) -> pl.DataFrame | str:
    """List the metrics, or describe some.

    METRIC is any name of one, such as ndcg_cut_10, or a family, such as users. The page of a metric
    has the formula, the parameters, the SQL, and the tools that agree or differ.
    """
    is_text, listed = to.format in LAYOUTS, sqlmetrics.metrics()
    if names and {*names} <= {*listed["family"]}:
        found = listed.filter(pl.col("family").is_in(names))
    elif names and is_text:
        text = "\n".join(map(describe, parsing.find_metrics(names)))
        if to.format == "markdown" or not is_terminal():
            return text
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
        return ""
    else:
        found = sqlmetrics.metrics(*names)
    if is_text:
        found = found.select("family", "name", "formula").sort("family", maintain_order=True)
    return found


@command(MORE, {}, name="presets", **_LISTED)
def list_presets() -> pl.DataFrame:
    """List the conventions of other tools."""
    return sqlmetrics.presets()


def _name_methods(are: Callable[[str], bool]) -> str:
    return ", ".join(filter(are, list_methods()))


_PARAMETERS: dict[str, Any] = {name: {"help": said} for name, said in describe_parameters().items()}


@command(
    MORE,
    {"Fusion": f"method normalization weights depth {' '.join(_PARAMETERS)} qrels training"},
    sqlmetrics.fuse,
    formats=RUN_FORMATS,
    method={"flags": "--method -m", "type": click.Choice(list_methods())},
    normalization={
        "type": click.Choice(list_normalizations()),
        "help": f"For {_name_methods(uses_scores)}: what makes the scores of different runs "
        "comparable; by default min_max.",
    },
    weights={"flags": "--weight", "metavar": "RUN=WEIGHT", "example": "RUN=WEIGHT"},
    qrels={"help": f"For {_name_methods(learns)}, which learn: judgments of other queries."},
    training={
        "metavar": "RUN",
        "help": "For the same: what these runs retrieved for those queries, under the same names.",
    },
    **_PARAMETERS,
)
def fuse(run: Files, **options: Any) -> pl.DataFrame:  # noqa: ANN401
    """Make one run from several RUNs.

    It is evaluated as any other.

    With -f trec, and to files called .trec, .run or .txt, it is written as TREC text.
    """
    return sqlmetrics.fuse(run, **options)


@command(
    MORE,
    {"Tuning": "methods metric step share depth alpha seed"},
    sqlmetrics.tune,
    methods={"type": click.Choice(list_methods()), "flags": "--method"},
)
def tune(qrels: File, run: Files, **options: Any) -> sqlmetrics.Tuning:  # noqa: ANN401
    """Find the best way to fuse runs.

    Many are tried on some queries, and the best is tested on the others. QRELS and RUNs are as for
    evaluate. Data formats have a row for each way.
    """
    return sqlmetrics.tune(qrels, run, **options)


@command(
    MORE,
    {"Bounds": "metrics max_rel", "Output": "per_query undecided"},
    sqlmetrics.bounds,
    formats=CHARTED,
)
def bounds(
    qrels: File,
    run: Files,
    *,
    per_query: bool = False,
    undecided: bool = False,
    **options: Any,  # noqa: ANN401
) -> Shown:
    """Show how far unjudged documents may move scores.

    A score is somewhere between its bounds once all documents are judged. QRELS and runs are as for
    evaluate.

    - ``per_query``: bounds of each query.
    - ``undecided``: instead, the pairs of runs whose bounds overlap.
    """
    found = sqlmetrics.bounds(qrels, run, **options)
    if undecided:
        return Shown(found.undecided, notes=found.notes)
    data = found.per_query if per_query else found.mean
    return Shown(found, data, options={"per_query": per_query})


@command(
    MORE,
    {"Pool": "metrics pool_depth groups"},
    sqlmetrics.pool_bias,
    groups={"flags": "--group", "metavar": "RUN=GROUP", "example": "RUN=GROUP"},
)
def pool_bias(qrels: File, run: Files, **options: Any) -> pl.DataFrame:  # noqa: ANN401
    """Show pool bias: score each run without what it alone found.

    QRELS and RUN are as for evaluate.
    """
    return sqlmetrics.pool_bias(qrels, run, **options)
