"""Plots: the charts of reports, one to a file, from results and curves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from .comparing.comparison import Comparison
from .errors import InputError, refuse, require_name, require_one_of, require_truth
from .inputs.workspace import replace_file
from .judging.bounds import Bounds
from .report import charts
from .report.scored import Scored
from .report.words import sign
from .score import Scores

if TYPE_CHECKING:
    from .result import Result

Drawn: TypeAlias = Iterator[charts.Chart]


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart of `plot`: ``svg``, which a notebook shows, and ``html``, a page of it alone."""

    svg: str
    html: str

    @property
    def png(self) -> bytes:
        """The chart as a picture of twice its size, which needs the extra ``plots``."""
        try:
            from resvg_py import svg_to_bytes
        except ImportError:
            raise InputError('PNG needs resvg: pip install "sqlmetrics[plots]"') from None
        return bytes(svg_to_bytes(svg_string=self.svg, zoom=2))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the chart to a file: ``.svg``, ``.html`` or ``.png``."""
        target = Path(path).expanduser().resolve()
        kind, kinds = target.suffix.lower()[1:], ("svg", "html", "png")
        refuse({f"a chart is .svg, .html or .png, not {target.name}": kind not in kinds})
        content: str | bytes = getattr(self, kind)
        replace_file(target, content.encode() if isinstance(content, str) else content)

    def __repr__(self) -> str:
        return "Chart; save it with .save('chart.svg')"

    def _repr_svg_(self) -> str:
        return self.svg


def plot(
    found: Result | pl.DataFrame,
    chart: str | None = None,
    *,
    metric: str | None = None,
    title: str | None = None,
    dark: bool = False,
) -> Chart:
    """A result or curve as a chart of reports, which a notebook shows and ``save`` writes.

    - ``found``: what `evaluate`, `compare`, `bounds`, an analysis or `examination`
      returned.
    - ``chart``: which chart, where there are several: of scores ``"queries"`` (a dot for the score
      of each query, and the mean) or ``"cutoffs"`` (the means by cut-off: score ``nDCG@1 nDCG@5
      nDCG@10``); of a comparison ``"intervals"`` (around the baseline) or ``"queries"`` (gains and
      losses). By default the first.
    - ``metric``: draw this metric only.
    - ``title``: the title of the chart.
    - ``dark``: in the colours of a dark page. An HTML file has those of its reader's system.

    Raises `InputError` for what cannot be drawn.

    >>> from sqlmetrics import evaluate
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> scores = evaluate(qrels, {"q1": {"a": 1.0}, "q2": {"c": 1.0}}, "RR P@1")
    >>> "q2" in plot(scores, metric="RR").svg
    True
    """
    require_truth(dark=dark)
    require_name("title", title, "the chart")
    drawn = _CHARTS | {pl.DataFrame: {"curve": _draw_frame}}
    known = next((known for kind, known in drawn.items() if isinstance(found, kind)), None)
    if known is None:
        what = ", ".join(kind.__name__ for kind in _CHARTS)
        raise InputError(f"{type(found).__name__} has no chart; {what} and curves have")
    refuse({f"plot returns the chart; save that: .save({chart!r})": "." in (chart or "")})
    if chart is not None:
        require_one_of("chart", chart, tuple(known))
    return _write([*known[chart or next(iter(known))](found, metric)], title, dark=dark)


def _write(drawn: list[charts.Chart], title: str | None, *, dark: bool) -> Chart:
    """The charts below each other."""
    from .report.page import load_templates  # and jinja2, which other commands need not wait for

    if not drawn:
        raise InputError("nothing to draw: there are no rows")
    top, placed = 44 if title else 16, []
    for each in drawn:
        placed.append((top, each))
        top += each.height + 52
    templates = load_templates()
    style, both = (str(templates.globals[f"{name}_css"]) for name in ("charts", "colours"))
    theme = both.split(":root")[2 if dark else 1]
    scoped = re.sub(r"(?<=[}\n,] )(?=[.\w])|^(?=[.\w])", ".sqlmetrics ", style, flags=re.MULTILINE)
    colours = dict(re.findall(r"--([a-z0-9]+): (#\w+)", theme))
    shown = {
        "title": title or ", ".join(dict.fromkeys(each.title for each in drawn)),
        "is_named": bool(title),
        "placed": placed,
        "width": max(each.width for each in drawn) + 32,
        "height": top - 16,
        "style": re.sub(r"var\(--(\w+)\)", lambda found: colours[found[1]], scoped),
    }
    svg, html = (templates.get_template(f"plot.{kind}").render(shown) for kind in ("svg", "html"))
    return Chart(svg, html)


# What each result shows


def _draw_comparison(found: Comparison, metric: str | None) -> Drawn:
    """The difference of each run from the baseline, with its interval."""
    against = pl.format("{} against {}", "run_id", "baseline")
    tests = _choose(found.tests.filter(pl.col("difference").is_not_null()), metric)
    shown = f"difference from {found.baseline}" if found.baseline else "difference"
    name = pl.col("run_id") if found.baseline else against
    tests = tests.with_columns(pl.col("difference").alias(shown), name=name)
    return charts.draw_intervals(tests, ["metric", *found.by], shown, sign)


def _draw_bounds(found: Bounds, metric: str | None) -> Drawn:
    """The score of each run, between its bounds."""
    mean = _choose(found.mean, metric).with_columns(name="run_id")
    return charts.draw_intervals(mean, ["metric"], "score", "{:.4f}".format)


def _draw_changes(found: Comparison, metric: str | None) -> Drawn:
    """A bar for the difference of each query, the largest gain first."""
    metric = metric or found.tests["metric"][0]
    rows = _choose(found.per_query, metric)
    axis, below = charts.Axis.over(rows["difference"], 5), f"difference in {metric}, by query"
    for (run, baseline, *segment), part in rows.group_by(
        ["run_id", "baseline", *found.by], maintain_order=True
    ):
        title = ", ".join(map(str, [f"{run} against {baseline}", *segment]))
        yield charts.draw_gains(title, below, axis, part)


def _draw_scores(found: Scores, metric: str | None) -> Drawn:
    """A dot for the score of each query, and a line for the mean of each run, by segment."""
    by = found.segments if found.per_query.width else ()  # which has no columns for a log
    for one in found.mean.select(by).unique(maintain_order=True).to_dicts() or [{}]:
        own = [pl.col(name).eq_missing(pl.lit(value)) for name, value in one.items()]
        mean, rows = (frame.filter(True, *own) for frame in (found.mean, found.per_query))
        scored = Scored(replace(found, mean=mean, per_query=rows, segments=()), metric)
        values = [f"no {of}" if value is None else str(value) for of, value in one.items()]
        for name in scored.metrics:
            keys = {run: (name, run) for run in scored.runs}
            yield scored.draw_strips(", ".join([name, *values]), "score", keys)


def _draw_cutoffs(found: Scores, metric: str | None) -> Drawn:
    """A line for each run through its means by cut-off."""
    drawn = [*Scored(found, metric).draw_cutoffs()]
    if not drawn:
        raise InputError("no metric at several cut-offs; score some, such as nDCG@1 nDCG@5 nDCG@10")
    return iter(drawn)


def _draw_frame(found: pl.DataFrame, metric: str | None) -> Drawn:
    """Precision over recall, ROC, or how likely users are to look at each position."""
    axes = next((axes for axes in _AXES if {*axes} <= {*found.columns}), None)
    if axes is None:
        pairs = " or ".join(" and ".join(pair) for pair in _AXES)
        raise InputError(f"a chart needs a frame with {pairs}; this has {', '.join(found.columns)}")
    if metric is not None:
        raise InputError("a curve has no metric; leave it out")
    if others := [column for column in axes if not found[column].dtype.is_numeric()]:
        raise InputError(f"{others[0]} must be numbers, not {found[others[0]].dtype}")
    if not found.drop_nulls(axes).is_empty():
        yield charts.draw_curve(found, *axes)


def can_draw(columns: Iterable[str]) -> bool:
    """Whether a frame with these columns has a chart."""
    return any({*axes} <= {*columns} for axes in _AXES)


def _choose(rows: pl.DataFrame, metric: str | None) -> pl.DataFrame:
    """The rows of a metric, or all of them."""
    if metric is None:
        return rows
    require_one_of("metric", metric, tuple(rows["metric"].unique(maintain_order=True)))
    return rows.filter(pl.col("metric") == metric)


_AXES = (("recall", "precision"), ("fpr", "tpr"), ("position", "examination"))

_CHARTS: dict[type, dict[str, Callable[..., Drawn]]] = {
    Scores: {"queries": _draw_scores, "cutoffs": _draw_cutoffs},
    Comparison: {"intervals": _draw_comparison, "queries": _draw_changes},
    Bounds: {"bounds": _draw_bounds},
}
