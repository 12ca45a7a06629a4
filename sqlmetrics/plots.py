"""Plots: results and curves as charts of Altair, for a notebook or an SVG file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from .catalogue.measures import Measure
from .comparing import Comparison
from .errors import InputError, require_name, require_one_of, require_truth, show
from .judging import Bounds
from .report.charts import Axis, spread
from .score import Scores

if TYPE_CHECKING:
    from .result import Result

Panels: TypeAlias = Iterator[tuple[str, Any]]  # charts of Altair, with their titles
Colours: TypeAlias = dict[str, str]

# Of gains and losses, and of scores: more cannot be seen.
_MOST_BARS, _MOST_MARKS = 400, 2000
_WIDTH, _HEIGHT = 420, 260


def plot(
    found: Result | pl.DataFrame,
    chart: str | None = None,
    *,
    metric: str | None = None,
    title: str | None = None,
    dark: bool = False,
) -> Any:  # noqa: ANN401 - the classes of Altair have no common one
    """A result or curve as a chart of Altair, which a notebook shows and ``save`` writes.

    Needs ``pip install "sqlmetrics[plots]"``.

    - ``found``: what `evaluate`, `compare`, `bounds`, an analysis or `examination`
      returned.
    - ``chart``: which chart, where there are several: of scores ``"queries"`` (a mark for the score
      of each query, and the mean) or ``"cutoffs"`` (the means by cut-off: score ``nDCG@1 nDCG@5
      nDCG@10``); of a comparison ``"intervals"`` (around the baseline) or ``"queries"`` (gains and
      losses). The first without one.
    - ``metric``: draw this metric only.
    - ``title``: the title of the chart.
    - ``dark``: for a dark page.

    Raises `InputError` for what cannot be drawn, and where Altair is not installed.

    >>> from sqlmetrics import evaluate
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> scores = evaluate(qrels, {"q1": {"a": 1.0}, "q2": {"c": 1.0}}, "RR P@1")
    >>> "q2" in plot(scores, metric="RR").to_json()
    True
    """
    require_truth(dark=dark)
    require_name("title", title, "the chart")
    charts = next((charts for kind, charts in _CHARTS.items() if isinstance(found, kind)), None)
    if charts is None:
        what = ", ".join(kind.__name__ for kind in _CHARTS if kind is not pl.DataFrame)
        raise InputError(f"{type(found).__name__} has no chart; {what} and curves have")
    if chart is not None:
        require_one_of("chart", chart, tuple(charts))
    try:
        import altair  # noqa: F401 - which some do not need
    except ImportError:
        raise InputError('plots need Altair: pip install "sqlmetrics[plots]"') from None
    colours = _read_colours()[int(dark)]
    panels = charts[chart or next(iter(charts))](_show_names(found), metric, colours)
    return _stack(panels, title and show(title), colours)


def _show_names(found: Result | pl.DataFrame) -> Any:  # noqa: ANN401
    """The same with names that SVG can have."""
    if not isinstance(found, pl.DataFrame):
        frames = {key: each for key, each in vars(found).items() if isinstance(each, pl.DataFrame)}
        return replace(found, **{key: _show_names(each) for key, each in frames.items()})
    for each in found.select(pl.col(pl.String)):
        odd = each.unique().drop_nulls()
        odd = odd.filter(odd.str.contains(r"[\p{Cc}\u2028\u2029\ufffe\uffff]"))
        if len(odd):
            found = found.with_columns(pl.col(each.name).replace(odd, pl.Series(map(show, odd))))
    return found


# Intervals


def _draw_comparison(found: Comparison, metric: str | None, colours: Colours) -> Panels:
    """The difference of each run from the baseline, with its interval."""
    tests = found.tests
    if found.baseline is None:
        tests = tests.with_columns(pl.format("{} against {}", "run_id", "baseline").alias("run_id"))
    return _draw_intervals(tests, metric, "run_id", "difference", found.by, colours)


def _draw_bounds(found: Bounds, metric: str | None, colours: Colours) -> Panels:
    """The score of each run, between its bounds."""
    return _draw_intervals(found.mean, metric, "run_id", "score", (), colours)


def _draw_intervals(
    frame: pl.DataFrame,
    metric: str | None,
    name: str,
    value: str,
    by: Sequence[str],
    colours: Colours,
) -> Panels:
    """A point for each row, on a line from low to high; a panel for each metric and segment."""
    import altair as alt

    is_difference = value == "difference"
    tone = pl.lit(colours["c0"])
    if is_difference:
        rises = pl.when(pl.col(value) > 0)
        tone = (
            pl.when("significant")
            .then(rises.then(pl.lit(colours["up"])).otherwise(pl.lit(colours["down"])))
            .otherwise(pl.lit(colours["tie"]))
        )
    rows = _choose(frame.filter(pl.col(value).is_not_null()), metric).select(
        *("metric", *by, name, value, "low", "high"), colour=tone
    )
    ends = Axis.over(x for each in ("low", value, "high") for x in rows[each].drop_nulls())
    scale = alt.Scale(domain=[ends.low, ends.high])
    # one end of it is infinite where only a loss or a gain is looked for
    inside = (pl.col(each).clip(ends.low, ends.high) for each in ("low", "high"))
    rows = rows.with_columns(inside)
    for key, part in rows.group_by("metric", *by, maintain_order=True):
        base = alt.Chart(_inline(part)).encode(
            y=alt.Y(name, type="nominal", sort=part[name].to_list(), title=None),
            color=alt.Color("colour", type="nominal", scale=None),
            tooltip=[_quote(each) for each in (name, value, "low", "high")],
        )
        x = alt.X(value, type="quantitative", scale=scale, title=value)
        low = alt.X("low", type="quantitative", scale=scale, title=value)
        layers = [
            base.mark_rule(strokeWidth=5, opacity=0.4).encode(x=low, x2=alt.X2("high", title="")),
            base.mark_point(filled=True, size=70, opacity=1).encode(x=x),
        ]
        if is_difference:
            zero = alt.Chart(_inline(pl.DataFrame({value: [0.0]}))).encode(x=x)
            layers.insert(0, zero.mark_rule(color=colours["tie"], strokeDash=[3, 3]))
        yield ", ".join(map(str, key)), alt.layer(*layers).properties(width=_WIDTH)


# Queries


def _draw_changes(found: Comparison, metric: str | None, colours: Colours) -> Panels:
    """A bar for the difference of each query, the largest gain first."""
    import altair as alt

    metric = metric or found.tests["metric"][0]
    keys = ["run_id", "baseline", *found.by]
    rows = _choose(found.per_query, metric)
    ends = Axis.over(rows["difference"])
    for (run, baseline, *segment), part in rows.group_by(keys, maintain_order=True):
        ordered = part.sort("difference", "query_id", descending=[True, False])
        # of many queries, some from the largest gain to the largest loss
        kept = ordered.gather_every(max(1, -(-ordered.height // _MOST_BARS)))
        tone = pl.when(pl.col("difference") > 0).then(pl.lit(colours["up"]))
        shown = kept.select(
            "query_id",
            "difference",
            place=pl.int_range(pl.len()),
            colour=tone.otherwise(pl.lit(colours["down"])),
        )
        chart = (
            alt.Chart(_inline(shown))
            .mark_bar()
            .encode(
                x=alt.X("place", type="ordinal", axis=None),
                y=alt.Y(
                    "difference",
                    type="quantitative",
                    title=f"difference in {metric}",
                    scale=alt.Scale(domain=[ends.low, ends.high]),
                ),
                color=alt.Color("colour", type="nominal", scale=None),
                tooltip=[_quote(each) for each in ("query_id", "difference")],
            )
        )
        title = ", ".join(map(str, [f"{run} against {baseline}", *segment]))
        yield title, chart.properties(width=_WIDTH, height=160)


def _draw_scores(found: Scores, metric: str | None, colours: Colours) -> Panels:
    """A mark for the score of each query, and a longer one for the mean of each run."""
    import altair as alt

    for name in _list_numeric(found, metric):
        rows = found.per_query.select("run_id", "query_id", pl.col(name).alias("score"))
        means = rows.group_by("run_id", maintain_order=True).agg(pl.col("score").mean())
        if rows.height > _MOST_MARKS:  # about the same score is one mark
            near = ["run_id", pl.col("score").round(2)]
            rows = rows.group_by(near, maintain_order=True).agg(
                pl.format("{} queries", pl.len()).alias("query_id")
            )
        y = alt.Y("run_id", type="nominal", title=None)
        x = alt.X("score", type="quantitative", title=name)
        marks = alt.Chart(_inline(rows)).mark_tick(thickness=2, opacity=0.45, color=colours["c0"])
        lines = alt.Chart(_inline(means)).mark_tick(thickness=3, size=24, color=colours["ink"])
        layers = [
            marks.encode(x=x, y=y, tooltip=["query_id:N", "score:Q"]),
            lines.encode(x=x, y=y, tooltip=["run_id:N", "score:Q"]),
        ]
        yield name, alt.layer(*layers).properties(width=_WIDTH, height=alt.Step(30))


# Lines


def _draw_cutoffs(found: Scores, metric: str | None, colours: Colours) -> Panels:
    """A line for each run through its means by cut-off."""
    numeric = _list_numeric(found, metric)
    cutoffs = {
        measure.name: (_name_stem(measure), dict(measure.arguments).get("k"))
        for measure in found.metrics
        if measure.name in numeric
    }
    stems = dict.fromkeys(stem for stem, k in cutoffs.values() if k is not None)
    for stem in stems:
        columns = {name: k for name, (own, k) in cutoffs.items() if own == stem and k is not None}
        rows = found.mean.unpivot([*columns], index="run_id", variable_name="metric").with_columns(
            pl.col("metric").replace_strict(columns, return_dtype=pl.Int64).alias("k")
        )
        if len(columns) > 1:
            yield stem, _draw_lines(rows, "k", "value", ("cut-off", stem), colours)
    if not any(sum(own == stem for own, _ in cutoffs.values()) > 1 for stem in stems):
        raise InputError("no metric at several cut-offs; score some, such as nDCG@1 nDCG@5 nDCG@10")


def can_draw(columns: Iterable[str]) -> bool:
    """Whether a frame with these columns has a chart."""
    return any({*axes} <= {*columns} for axes in _AXES)


def _draw_frame(found: pl.DataFrame, metric: str | None, colours: Colours) -> Panels:
    """Precision over recall, ROC, or how likely users are to look at each position."""
    axes = next((axes for axes in _AXES if {*axes} <= {*found.columns}), None)
    if axes is None:
        pairs = " or ".join(" and ".join(pair) for pair in _AXES)
        raise InputError(f"a frame with a chart has {pairs}; this has {', '.join(found.columns)}")
    if metric is not None:
        raise InputError("a curve has no metric; leave it out")
    if others := [column for column in axes if not found[column].dtype.is_numeric()]:
        raise InputError(f"{others[0]} must be numbers, not {found[others[0]].dtype}")
    x, y = axes
    names = [column for column in ("run_id", "query_id") if column in found.columns]
    rows = found.with_columns(
        pl.col(axes).cast(pl.Float64),
        pl.concat_str(names, separator=", ").alias("run_id")
        if names
        else pl.lit(y).alias("run_id"),
    )
    rows = rows.with_columns(pl.col("run_id").str.strip_suffix(", all"))
    yield "", _draw_lines(rows, x, y, axes, colours)


def _draw_lines(
    rows: pl.DataFrame, x: str, y: str, titles: tuple[str, str], colours: Colours
) -> Any:  # noqa: ANN401
    """A line for each run, in the order of rows, with its name at the end."""
    import altair as alt

    shown = rows.select("run_id", x, y).drop_nulls().with_columns(place=pl.int_range(pl.len()))
    axis = Axis.over(shown[y])
    runs = shown["run_id"].unique(maintain_order=True).to_list()
    tones = [colours[f"c{number % 10}"] for number in range(len(runs))]
    is_log = x == "k"
    ticks = alt.Axis(values=shown[x].unique().sort().to_list()) if is_log else alt.Axis()
    scale = alt.Scale(type="log" if is_log else "linear", nice=not is_log)
    across = alt.X(x, type="quantitative", title=titles[0], scale=scale, axis=ticks)
    colour = alt.Color(
        "run_id", type="nominal", legend=None, scale=alt.Scale(domain=runs, range=tones)
    )
    height = alt.Scale(domain=[axis.low, axis.high], nice=False)
    base = alt.Chart(_inline(shown)).encode(
        x=across,
        y=alt.Y(y, type="quantitative", title=titles[1], scale=height),
        color=colour,
        tooltip=[_quote(each) for each in ("run_id", x, y)],
    )
    line = base.mark_line(point=shown.height <= _MOST_MARKS).encode(order="place:Q")
    if len(runs) == 1:
        return line.properties(width=_WIDTH, height=_HEIGHT)
    # those that end in the same place are in the order of their means
    ends = shown.group_by("run_id").agg(pl.col(y).last(), mean=pl.col(y).mean())
    ends = ends.sort(y, "mean", "run_id", descending=[True, True, False])
    wanted = [_HEIGHT - axis.place(end, _HEIGHT) for end in ends[y]]
    labels = ends.select("run_id", at=pl.Series(spread(wanted, 0, _HEIGHT)))
    names = alt.Chart(_inline(labels)).mark_text(align="left", dx=8)
    across_end = alt.value(_WIDTH)
    down = alt.Y("at", type="quantitative", axis=None, scale=alt.Scale(domain=[_HEIGHT, 0]))
    named = names.encode(x=across_end, y=down, text="run_id:N", color=colour)
    layers = alt.layer(line, named).resolve_scale(y="independent")
    return layers.properties(width=_WIDTH, height=_HEIGHT)


# What all of them share


def _choose(rows: pl.DataFrame, metric: str | None) -> pl.DataFrame:
    """The rows of a metric, or all of them."""
    known = rows["metric"].unique(maintain_order=True).to_list()
    if metric is None:
        return rows
    require_one_of("metric", metric, tuple(known))
    return rows.filter(pl.col("metric") == metric)


def _list_numeric(found: Scores, metric: str | None) -> list[str]:
    """The metrics to draw, which are numbers."""
    names = [name for name in found if found.per_query.schema[name].is_numeric()]
    if metric is not None:
        require_one_of("metric", metric, tuple(names))
    return [name for name in names if metric in (None, name)]


def _name_stem(measure: Measure) -> str:
    """The name of a metric at any cut-off: ``nDCG@k``."""
    return re.sub(r"@\d+$", "@k", measure.canonical_name)


def _quote(column: str) -> Any:  # noqa: ANN401
    import altair as alt

    is_name = column in ("run_id", "query_id", "variant")
    return alt.Tooltip(column, type="nominal" if is_name else "quantitative")


def _inline(rows: pl.DataFrame) -> Any:  # noqa: ANN401
    """The rows as part of the chart, however many there are."""
    import altair as alt

    return alt.InlineData(values=rows.to_dicts())


def _stack(panels: Panels, title: str | None, colours: Colours) -> Any:  # noqa: ANN401
    """The panels below each other, in our colours."""
    import altair as alt

    named = [*panels]
    charts = [chart.properties(title=name) if name else chart for name, chart in named]
    if not charts:
        raise InputError("nothing to draw: there are no rows")
    found = charts[0] if len(charts) == 1 else alt.vconcat(*charts)
    if title is not None:
        found = found.properties(title=title)
    return (
        found.configure(background=colours["page"], font="system-ui, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=colours["grid"],
            domainColor=colours["line"],
            tickColor=colours["line"],
            labelColor=colours["soft"],
            titleColor=colours["soft"],
            titleFontWeight="normal",
            labelLimit=220,
        )
        .configure_title(color=colours["ink"], anchor="start", fontSize=13)
        .configure_text(color=colours["ink"])
    )


@cache
def _read_colours() -> list[Colours]:
    """Those of the report, by name: for a light page and for a dark one."""
    files = resources.files(__package__) / "report" / "templates"
    style = (files / "style.css").read_text("utf-8")
    themes = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    return [dict(re.findall(r"--([a-z0-9]+): (#\w+)", theme)) for theme in themes]


_AXES = (("recall", "precision"), ("fpr", "tpr"), ("position", "examination"))

_CHARTS: dict[type, dict[str, Callable[..., Panels]]] = {
    Scores: {"queries": _draw_scores, "cutoffs": _draw_cutoffs},
    Comparison: {"intervals": _draw_comparison, "queries": _draw_changes},
    Bounds: {"bounds": _draw_bounds},
    pl.DataFrame: {"curve": _draw_frame},
}
