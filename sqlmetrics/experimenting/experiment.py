"""Experiments: whether a variant is better than the control for the users who saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..catalogue import quote
from ..catalogue.literals import read_number
from ..comparing import Correction, correct, describe_confidence, describe_correction
from ..comparing.scores import join_segments, sort_segments
from ..errors import (
    InputError,
    read_names,
    require_dict,
    require_name,
    require_number,
    require_one_of,
)
from ..inputs.columns import USERS
from ..inputs.tables import Table as Given
from ..inputs.tables import list_names, read_table
from ..progress import begin
from ..result import (
    Result,
    mark,
    name_interval,
    shorten,
    show_number,
    show_p,
    show_range,
    show_share,
    show_value,
)
from ..running.connections import open_reader
from ..running.relations import ENDS, Rows, relate
from ..tables import Table

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

# Below this p-value of the sample ratio check, differences cannot be trusted (Kohavi, Tang and Xu
# 2020, Trustworthy Online Controlled Experiments, chapter 21).
_UNBALANCED = 0.001

# Above this skewness of the difference, whose square is one over the number of users, its interval
# is not to be trusted: docs/experiments.md has simulations.
_SKEWED = 0.1**0.5


@dataclass(frozen=True, repr=False)
class Experiment(Result):
    """The result of `experiment`.

    - ``tests``: a row for each metric (and segment) and variant: ``metric``, the columns of ``by``,
      ``variant``, ``control``, ``users`` and ``control_users`` (their numbers), ``mean`` and
      ``control_mean``, ``difference`` of the two and its confidence interval from ``low`` to
      ``high``, ``relative`` (the difference as a share of the control's mean) with ``relative_low``
      and ``relative_high``, the ``confidence`` of both intervals, ``p``, ``p_corrected`` and
      ``significant``. What cannot be computed is null.
    - ``splits``: a row for each metric (and segment) and variant: ``users``, the planned ``share``,
      the ``expected_users`` of that share, and ``p`` of the sample ratio check.
    - ``users``: the rows that were compared, as text and numbers: ``user_id``, ``variant``,
      ``metric``, the columns of ``by``, ``numerator``, ``denominator`` and what they were
      ``before``. Pass this frame to tools that go further.
    - ``method``: how it was tested, in a sentence.
    - ``notes``: reasons not to trust it, one remark a line.

    Printed, it is a table for people; `write` gives it as Markdown, LaTeX or HTML, too.
    """

    tests: pl.DataFrame
    splits: pl.DataFrame
    users: pl.DataFrame
    by: tuple[str, ...] = ()
    alpha: float = 0.05

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The table for people, as text: a row for each control, and for each variant below it."""
        sign = partial(show_number, digits=digits, signed=True)
        level = name_interval(*self.tests["confidence"].drop_nulls())
        rows: list[dict[str, str]] = []
        shown: tuple[object, ...] = ()
        for row in self.tests.iter_rows(named=True):
            head = {"metric": row["metric"], **{c: show_value(row[c]) for c in self.by}}
            mean = show_number(row["control_mean"], digits)
            # with CUPED, that of the control depends on the variant
            if shown != (shown := (*head.values(), mean)):
                control = {"variant": row["control"], "users": str(row["control_users"])}
                rows.append({**head, **control, "mean": mean, "": "control"})
            cells = {
                "variant": row["variant"],
                "users": str(row["users"]),
                "mean": show_number(row["mean"], digits),
                "difference": sign(row["difference"]),
                level: show_range(row["low"], row["high"], sign),
                "relative": show_share(row["relative"]),
                f"relative {level}": show_range(
                    row["relative_low"], row["relative_high"], show_share
                ),
                "p": show_p(row["p"]),
                "p corrected": show_p(row["p_corrected"]),
                "": mark(row["difference"], significant=row["significant"]),
            }
            rows.append({**head, **cells})
        frame = pl.DataFrame([{name: row.get(name, "") for name in rows[1]} for row in rows])
        if (frame["p"] == frame["p corrected"]).all():
            frame = frame.drop("p corrected")
        yield Table(frame, right=_RIGHT, scores=["mean"])


_RIGHT = ("users", "mean", "difference", "relative", "p", "p corrected")


def experiment(
    users: Any,  # noqa: ANN401
    control: str | None = None,
    *,
    metrics: str | Iterable[str] = (),
    by: str | Iterable[str] = (),
    shares: Mapping[str, float] | None = None,
    cuped: bool | None = None,
    alternative: Alternative = "two-sided",
    correction: Correction = "holm",
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Experiment:
    """Compare the variants of an A/B test: differences, intervals, p-values, sample ratio check.

    - ``users``: a row for each user, the unit that was assigned at random: a frame, a table of
      ``con`` or a file (CSV, Parquet, JSON) with ``user_id``, ``variant``, ``numerator`` and, for
      a ratio such as clicks / pages, ``denominator``; ``metric``, if it holds several; ``before``,
      what the numerator was before the experiment, with ``before_denominator``.
    - ``control``: the variant that the others are compared with; by default the first by name.
    - ``metrics``: which values of the column metric; all by default.
    - ``by``: columns that divide the users into segments.
    - ``shares``: the share of users planned for each variant, ``{"A": 0.9, "B": 0.1}``; equal
      shares by default.
    - ``cuped``: whether to remove what the values before explain; by default if they are there.
    - ``alternative``: whether the variant may be better or worse, only ``"greater"`` or ``"less"``.
    - ``correction``: of the p-values of all metrics, segments and variants, which are corrected
      together: ``"holm"`` and ``"bonferroni"`` keep the chance of any false discovery below
      ``alpha``, ``"bh"`` and ``"by"`` their share; ``"none"``.
    - ``alpha``: the significance level. Intervals contain the true difference with ``confidence``,
      which is 1 - alpha for a single test, and closer to 1 the more p was corrected: they exclude 0
      where the difference is significant.
    - ``columns``: which column is which, where their names do not say so:
      ``{"numerator": "clicks", "denominator": "pages"}``.

    Raises `InputError` for users that cannot be compared, such as one in two variants.

    >>> users = pl.DataFrame({
    ...     "user_id": [1, 2, 3, 4, 5, 6, 7, 8],
    ...     "variant": ["A", "A", "A", "A", "B", "B", "B", "B"],
    ...     "clicks": [1, 2, 3, 4, 3, 4, 5, 6],
    ... })
    >>> found = experiment(users, "A", columns={"numerator": "clicks"})
    >>> found.tests.select("metric", "variant", "mean", "difference", "relative").rows()
    [('clicks', 'B', 4.5, 2.0, 0.8)]
    >>> round(found.tests["p"][0], 4)
    0.071
    """
    require_one_of("alternative", alternative, get_args(Alternative))
    require_one_of("correction", correction, get_args(Correction))
    require_number("alpha", alpha, 0, 1 if alternative == "two-sided" else 0.5)
    require_name("control", control, "a variant")
    if cuped is not None and not isinstance(cuped, bool):
        raise InputError(f"cuped must be True, False or None, not {cuped!r}")
    planned = _read_shares(shares)
    segments = tuple(read_names("by", by))
    table = read_table(users, USERS, segments, con=con, columns=columns)
    kept = _take_metrics(table, metrics, segments)
    if cuped is None:
        cuped = "before" in kept.columns
    begin("comparing", kept.height)
    divided = join_segments(kept, segments)
    with open_reader() as reader:
        rows = relate(
            reader,
            "adjusted" if cuped else "arms",
            {"users": divided},
            control=control,
        )
        tests = rows.ask(
            {
                "users": "variant_users(p)",
                "control_users": "control_users(p)",
                "mean": "variant_mean(p)",
                "control_mean": "control_mean(p)",
                "difference": "variant_difference(p)",
                "relative": "relative_difference(p)",
                "ratio": "sum(p.numerator) / sum(p.denominator)",
                "p": f"welch_t(p, alternative := {quote(alternative)})",
                "varies": "variant_error(p) > 0",
            }
        )
        tests = correct(reader, tests, correction, alpha, pl.lit("all"))
        ends = _find_ends(rows, tests, alternative)
        split = relate(reader, "allocated", {"users": divided}, shares=planned)
        splits = split.read().join(split.ask({"p": "sample_ratio(p)"}), on=split.groups)
    tests = tests.join(ends, on=rows.groups)
    tests = _bound(tests.join(_find_shares(kept), on="metric"), alternative)
    tests = sort_segments(tests.sort("variant"), kept, segments).select(
        *("metric", *segments, "variant", "control", "users", "control_users"),
        *("mean", "control_mean", "difference", "low", "high"),
        *("relative", "relative_low", "relative_high", "confidence"),
        *("p", "p_corrected", "significant", "varies", "skewness"),
    )
    splits = sort_segments(splits.sort("variant"), kept, segments).select(
        "metric", *segments, "variant", "users", "share", "expected_users", "p"
    )
    notes = [*_describe_splits(splits, segments), *table.notes]
    if correction == "none" and tests.height > 1:
        notes.append(
            f"{tests.height} tests are not corrected: without any true difference, "
            f"{alpha * tests.height:.2g} would be marked on average"
        )
    if control is None:
        notes.append(f"the control is {tests['control'][0]}, the first variant by name")
    return Experiment(
        tests.drop("varies", "skewness"),
        splits,
        kept,
        segments,
        alpha,
        method=_describe_method(tests, alternative, correction, alpha, cuped=cuped),
        notes=(*notes, *_describe_limits(tests, segments)),
    )


def _take_metrics(
    table: Given, metrics: str | Iterable[str], segments: tuple[str, ...]
) -> pl.DataFrame:
    """The rows of some metrics; one without a name has that of its columns."""
    frame = table.frame
    if "metric" not in frame.columns:
        names = [table.found[each] for each in ("numerator", "denominator") if each in table.found]
        name = " / ".join(names)
        frame = frame.with_columns(metric=pl.lit("value" if name == "numerator" else name))
    elif frame["metric"].null_count():
        raise InputError(f"{table.name}: a row has no metric")
    have = [name for name in (*USERS.columns, *USERS.optional) if name in frame.columns]
    texts = ["user_id", "variant", "metric"]
    frame = frame.select("metric", *segments, *have).with_columns(pl.col(texts).cast(pl.String))
    wanted = read_names("metrics", metrics)
    known = frame["metric"].unique(maintain_order=True).to_list()
    if missing := [metric for metric in wanted if metric not in known]:
        raise InputError(
            f"{table.name}: no metric named {missing[0]}; there are {list_names(known)}"
        )
    return frame.filter(pl.col("metric").is_in(wanted)) if wanted else frame


def _read_shares(shares: object) -> tuple[tuple[str, float], ...] | None:
    """The planned share of each variant."""
    if shares is None:
        return None
    example = "{'A': 0.9, 'B': 0.1}"
    if not (given := require_dict("shares", shares, example)):
        raise InputError(f"shares must be a dict such as {example}, not {shares!r}")
    found = {str(variant): read_number(share) for variant, share in given.items()}
    for variant, number in found.items():
        if number is None or number[0] <= 0:
            said = {str(key): share for key, share in given.items()}[variant]
            raise InputError(f"the share of variant {variant} must be above 0, not {said!r}")
    return tuple((variant, number[0]) for variant, number in found.items() if number)


def _find_ends(rows: Rows, tests: pl.DataFrame, alternative: Alternative) -> pl.DataFrame:
    """Half the width of the interval of each difference, the ends of the relative one, skewness."""
    sides = 1 if alternative == "two-sided" else 2
    level = 1 - sides * (1 - pl.col("confidence"))
    return rows.ask(
        {
            "margin": "variant_margin(p, confidence := g.level)",
            "ends": "relative_interval(p, confidence := g.level)",
            "skewness": "skewness(p.numerator - g.ratio * p.denominator)",
        },
        given=tests.select(*rows.groups, "ratio", level=level),
    )


def _find_shares(users: pl.DataFrame) -> pl.DataFrame:
    """Whether a metric is a share, such as that of users who bought: 0 to 1 for each user.

    Those of all segments say what a metric is: a segment may lack the values above 1 by chance.
    """
    have = users.with_columns(
        denominator=pl.col("denominator") if "denominator" in users.columns else 1
    )
    value, most = (
        pl.col(each).cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        for each in ("numerator", "denominator")
    )
    is_share = value.is_between(0, most).fill_null(value=False)
    return have.group_by("metric").agg(is_share=is_share.all())


def _bound(tests: pl.DataFrame, alternative: Alternative) -> pl.DataFrame:
    """The tests with the ends of intervals, of which one is infinite if only the other matters.

    Two shares differ by 1 at most.
    """
    most = pl.when("is_share").then(1.0).otherwise(inf)
    can_vary = pl.col("varies").fill_null(value=False)
    margin = pl.col("margin")
    ends = {
        "low": pl.max_horizontal(pl.col("difference") - margin, -most),
        "high": pl.min_horizontal(pl.col("difference") + margin, most),
        "relative_low": ENDS[0],
        "relative_high": ENDS[1],
    }
    for name, value in ends.items():
        upward = pl.lit(alternative == "greater")
        if name.startswith("relative"):  # a percentage of a mean below 0 turns round
            upward = upward ^ (pl.col("control_mean") < 0)
        endless = (upward == name.endswith("high")) & (alternative != "two-sided")
        infinite = pl.when(upward).then(inf).otherwise(-inf)
        end = pl.when(endless).then(infinite).otherwise(value)
        tests = tests.with_columns(pl.when(value.is_not_null() & can_vary).then(end).alias(name))
    return tests


def _describe_method(
    tests: pl.DataFrame,
    alternative: Alternative,
    correction: Correction,
    alpha: float,
    *,
    cuped: bool,
) -> str:
    """How it was tested, in a sentence."""
    text = "p-values are from Welch's t-tests"
    if alternative != "two-sided":
        text += f" of a difference that is {alternative} than 0"
    if cuped:
        text += ", without what values before the experiment explain (CUPED)"
    text += describe_correction(correction, tests.height)
    text += f"; intervals have {describe_confidence(tests)}"
    if correction != "none" and tests.height > 1:
        text += ", corrected as the p-values are"
    return f"{text}. ▲▼: significant at {alpha:g}."


def _describe_splits(splits: pl.DataFrame, segments: tuple[str, ...]) -> list[str]:
    """The sample ratio checks that fail: whose numbers of users are not as planned."""
    found: dict[str, list[str]] = {}
    number = splits["metric"].n_unique()
    for _, part in splits.group_by("metric", *segments, maintain_order=True):
        first = part.row(0, named=True)
        if first["p"] >= _UNBALANCED:
            continue
        off = part.with_columns(off=pl.col("users") / pl.col("expected_users") - 1)
        row = off.sort(pl.col("off").abs().round(12), "off", descending=[True, False]).row(
            0, named=True
        )
        where = "".join(f" with {column} {first[column]}" for column in segments)
        more = "more" if row["off"] > 0 else "fewer"
        share = 100 * abs(row["off"])
        off_by = f"{share:.0f}%" if share >= 10 else f"{share:.2g}%"
        text = (
            f"variant {row['variant']} has {off_by} {more} users than planned{where} "
            f"(p = {first['p']:.1g}): do not trust the results, find out why"
        )
        found.setdefault(text, []).append(first["metric"])
    return [
        text if len(names) == number else f"{', '.join(names)}: {text}"
        for text, names in found.items()
    ]


def _find_needed(row: Mapping[str, Any]) -> float:
    """How many times as many users make the difference nearly normal; 0 if it is.

    Of means of n and m values with the skewness s, it has s · (1/n² - 1/m²) / (1/n + 1/m)^1.5.
    """
    if row["skewness"] is None:
        return 0
    variant, control = 1 / row["users"], 1 / row["control_users"]
    skewness = row["skewness"] * (variant**2 - control**2) / (variant + control) ** 1.5
    times = (skewness / _SKEWED) ** 2
    return float(f"{times:.1g}") if times > 1 else 0


def _describe_limits(tests: pl.DataFrame, segments: tuple[str, ...]) -> list[str]:
    """What the tests cannot say."""
    notes = []
    for row in tests.iter_rows(named=True):
        what = f"{row['variant']} and {row['control']} by {row['metric']}"
        what += "".join(f", {column} {row[column]}" for column in segments)
        if min(row["users"], row["control_users"]) < 2:
            notes.append(f"{what}: a variant has one user; a test needs two or more")
        elif not row["varies"]:
            same = "one value" if row["difference"] else "the same value"
            users = "every user of a variant" if row["difference"] else "every user"
            notes.append(f"{what}: {same} for {users}, so no test is possible")
        elif needed := _find_needed(row):
            notes.append(
                f"{what}: {row['users']} and {row['control_users']} users are too few for values "
                f"this skewed: the interval and p-value need about {needed:g} times as many"
            )
        elif row["relative_low"] is None:
            notes.append(f"{what}: no relative difference, since the control's mean is 0")
        if (row["control_mean"] or 0) < 0:
            notes.append(
                f"{what}: the control's mean is below 0, so that a relative difference above 0 "
                "is a lower mean"
            )
    return shorten(notes)
