"""Agreement: whether judges agree, and what that does to the order of runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl

from ..catalogue.conventions import choose
from ..errors import InputError, require_number, require_one_of
from ..inputs.columns import QRELS, Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.reader import Reader
from ..inputs.source import reading
from ..inputs.tables import RATINGS, read_table
from ..progress import begin
from ..query import run_query
from ..result import Result, count, show_level, show_number, show_range
from ..running.checks import refuse
from ..running.connections import open_reader
from ..running.draws import AT_ONCE, divide, require_memory, require_seed
from ..running.relations import Rows, ask, keep, relate, require
from ..score import evaluate
from ..tables import Table

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions

Resample: TypeAlias = Literal["queries", "documents"]

_ORDERS = {
    "metric": pl.String,
    "runs": pl.Int64,
    "kendall_tau": pl.Float64,
    "tau_ap": pl.Float64,
    "spearman": pl.Float64,
}
_TURNED = {
    "metric": pl.String,
    "run_id": pl.String,
    "other": pl.String,
    "difference": pl.Float64,
    "second_difference": pl.Float64,
}


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """The result of `agree`.

    - ``coefficients``: a row for each: ``statistic``, its ``value``, and its confidence interval
      from ``low`` to ``high``; what cannot be computed is null. For two judges: raw_agreement,
      positive_agreement, kappa (Cohen's), linear_kappa, quadratic_kappa and alpha (Krippendorff's,
      ordinal); for more: nominal_alpha, alpha, interval_alpha and, if all documents have as many
      ratings, fleiss_kappa.
    - ``per_query``: a row for each query with ``documents``, and a column for each of these.
    - ``confusion``: for two judges, a row for each two grades: ``a``, ``b`` and ``documents``.
    - ``orders``: with runs, a row for each metric: ``runs``, ``kendall_tau``, ``tau_ap`` (with the
      first judge as the truth) and ``spearman`` of the orders of the runs by the two.
    - ``turned``: with runs, a row for each metric and two runs that the judges put in different
      orders: ``run_id``, ``other``, and the ``difference`` of their means by the first judge and
      the ``second_difference`` by the second.
    - ``documents``, ``queries``: how many both have judged.
    - ``method``: how the intervals were computed, in a sentence.
    - ``notes``: what was left out, one remark a line.

    Printed, these are tables for people; `write` gives them as Markdown, LaTeX or HTML, too.
    """

    coefficients: pl.DataFrame
    per_query: pl.DataFrame
    confusion: pl.DataFrame
    documents: int
    queries: int
    orders: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_ORDERS))
    turned: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_TURNED))

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The tables for people, each with what it shows; empty ones are left out."""
        rows = [
            {
                "statistic": _LABELS.get(name, name),
                "value": show_number(value, digits),
                "interval": show_range(low, high, lambda end: show_number(end, digits)),
            }
            for name, value, low, high in self.coefficients.iter_rows()
        ]
        title = f"{self.documents} documents of {self.queries} queries"
        yield Table(pl.DataFrame(rows), title, right=["value"])
        if not self.confusion.is_empty():
            grades = self.confusion.with_columns(pl.col("a", "b").map_elements(_grade, pl.String))
            table = grades.pivot("b", index="a", values="documents", maintain_order=True)
            yield Table(
                table.rename({"a": ""}).with_columns(pl.exclude("").fill_null(0)),
                "Documents by the grade of the first judge (rows) and of the second (columns)",
            )
        if not self.orders.is_empty():
            yield Table(self.orders, "The order of the runs by the two judges")
        if not self.turned.is_empty():
            yield Table(self.turned, "Runs that the judges put in different orders")


_LABELS = {
    "raw_agreement": "raw agreement",
    "positive_agreement": "positive agreement",
    "kappa": "Cohen's kappa",
    "linear_kappa": "Cohen's kappa, linear weights",
    "quadratic_kappa": "Cohen's kappa, quadratic weights",
    "alpha": "Krippendorff's alpha, ordinal",
    "nominal_alpha": "Krippendorff's alpha, nominal",
    "interval_alpha": "Krippendorff's alpha, interval",
    "fleiss_kappa": "Fleiss' kappa",
}
_ONE = {"queries": "query", "documents": "document"}


def agree(
    first: Data,
    second: Data | None = None,
    run: Runs | None = None,
    metrics: str | Iterable[str] | None = None,
    *,
    resample: Resample = "queries",
    alpha: float = 0.05,
    samples: int = 2_000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> Agreement:
    """How far judges agree, such as people and a language model; returns `Agreement`.

    - ``first``, ``second``: judgments as for `evaluate`, of two judges. Without ``second``, the
      first is a table of ratings: a frame, a table of ``con`` or a file with query_id, doc_id,
      judge and relevance, for any number of judges.
    - ``run``, ``metrics``: runs, and the metrics that score them by each judge, to show how alike
      the two orders of the runs are, and which pairs change places. Only queries that both judged
      count.
    - ``resample``: intervals are percentiles of bootstrap samples of the ``"queries"``, or of the
      ``"documents"``, which treats the documents of a query as independent. From fewer than 6 of
      them there are none: docs/judges.md has simulations.
    - ``alpha``: intervals contain the coefficient with 1 - alpha.
    - ``samples``: how many bootstrap samples are drawn.
    - ``seed``: of the draws, which are the same each time.
    - ``con``, ``columns``, ``run_names``: as for `evaluate`, as are its conventions, such as
      ``rel``, the relevance from which a document is relevant.

    Documents that only one judge has judged are left out. A relevance below 0 means not judged.

    Raises `InputError` for judgments that cannot be read, or have no document in common.

    >>> first = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"d": 0, "e": 1}}
    >>> second = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"d": 0, "e": 0}}
    >>> found = agree(first, second)
    >>> found.documents, found.coefficients.filter(statistic="kappa")["value"].round(4).item()
    (5, 0.3333)
    """
    require_one_of("resample", resample, ("queries", "documents"))
    require_number("alpha", alpha, 0, 1)
    rel = choose(None, options).relevant_from
    require("resampled_queries", samples=samples)
    require_seed(seed)
    if second is None and run is not None:
        raise InputError("runs need the judgments of two judges: agree(first, second, run)")
    draws = _Draws(resample, alpha, samples, seed)
    with open_reader(con, columns, run_names) as reader:
        if second is None:
            table = read_table(first, RATINGS, con=con, columns=reader.columns)
            frame = table.frame.select("query_id", "doc_id", "judge", "relevance")
            begin("comparing ratings", frame.height)
            rows = relate(reader, "rated", {"ratings": frame})
            return _measure(rows, _STATISTICS_OF_MANY, draws, tuple(table.notes))
        judges = _read_judges(reader, first, second)
        notes = [*reader.notes, *_describe_left(judges)]
        begin("comparing judgments", judges[0].height)
        rows = relate(reader, "agreed", dict(zip(("first", "second"), judges, strict=True)))
        orders: dict[str, pl.DataFrame] = {}
        if run is not None:
            given: dict[str, Any] = {"con": con, "columns": reader.columns, "run_names": run_names}
            orders, more = _compare_runs(judges, run, metrics, given | dict(options))
            notes += [note for note in more if note not in notes]
        statistics = {
            name: how.format(rel=repr(float(rel))) for name, how in _STATISTICS_OF_TWO.items()
        }
        return _measure(rows, statistics, draws, tuple(notes), orders)


_STATISTICS_OF_TWO = {
    "raw_agreement": "raw_agreement(p)",
    "positive_agreement": "positive_agreement(p, rel := {rel})",
    "kappa": "cohen_kappa(p)",
    "linear_kappa": "cohen_kappa(p, weights := 'linear')",
    "quadratic_kappa": "cohen_kappa(p, weights := 'quadratic')",
    "alpha": "krippendorff_alpha(p)",
}
_STATISTICS_OF_MANY = {
    "nominal_alpha": "krippendorff_alpha(p, level := 'nominal')",
    "alpha": "krippendorff_alpha(p)",
    "interval_alpha": "krippendorff_alpha(p, level := 'interval')",
}


@dataclass(frozen=True)
class _Draws:
    """How bootstrap samples are drawn."""

    resample: Resample
    alpha: float
    samples: int
    seed: int

    @property
    def method(self) -> str:
        return (
            f"{show_level(1 - self.alpha)} intervals: percentiles of {self.samples:,} bootstrap "
            f"samples of the {self.resample}, expanded for their number."
        )


def _read_judges(reader: Reader, *given: Data) -> list[pl.DataFrame]:
    """The judgments of each, checked."""
    found = [reader.read(each, QRELS) for each in given]
    with reading(" or ".join(each.name for each in found)):
        refuse(reader.con, found)
    return [each.frame.select("query_id", "doc_id", "relevance") for each in found]


def _describe_left(judges: Iterable[pl.DataFrame]) -> Iterator[str]:
    first, second = (each.filter(pl.col("relevance") >= 0) for each in judges)
    keys = ["query_id", "doc_id"]
    for one, other, name in ((first, second, "first"), (second, first, "second")):
        if left := one.join(other, on=keys, how="anti").height:
            yield f"left out: {count(left, 'document')} judged only by the {name} judge"


def _measure(
    rows: Rows,
    statistics: Mapping[str, str],
    draws: _Draws,
    notes: tuple[str, ...],
    orders: Mapping[str, pl.DataFrame] | None = None,
) -> Agreement:
    """The coefficients over rows of agreed or rated."""
    is_of_two = "kappa" in statistics
    counted = {
        "low": "min(len(p.ratings))",
        "high": "max(len(p.ratings))",
        "documents": "count(*)",
        "queries": "count(DISTINCT p.query_id)",
    }
    sizes = rows.ask(counted).row(0, named=True)
    if not is_of_two and sizes["low"] == sizes["high"]:
        statistics = {**statistics, "fleiss_kappa": "fleiss_kappa(p)"}
    values = rows.ask(statistics)
    each = {"documents": "count(*)", **statistics}
    per_query = rows.ask(each, by=["query_id"]).sort("query_id")
    confusion = pl.DataFrame(schema={"a": pl.Float64, "b": pl.Float64, "documents": pl.Int64})
    if is_of_two:
        confusion = rows.ask({"documents": "count(*)"}, by=["a", "b"]).sort("a", "b")
    ends, remarks = _draw(rows, statistics, draws, sizes[draws.resample])
    if values["alpha"].item() is None:
        remarks.append(
            "kappa and alpha have no value: all judgments are the same, as they would be by chance"
        )
    low, high = zip(*ends, strict=True)
    coefficients = pl.DataFrame(
        {"statistic": [*statistics], "value": values.row(0), "low": low, "high": high},
        {"statistic": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )
    return Agreement(
        coefficients,
        per_query,
        confusion,
        sizes["documents"],
        sizes["queries"],
        method=draws.method,
        notes=(*notes, *remarks),
        **(orders or {}),
    )


# From fewer queries, intervals contain the coefficient less often than they say: docs/judges.md.
_FEWEST = 6


def _draw(
    rows: Rows, statistics: Mapping[str, str], draws: _Draws, number: int
) -> tuple[list[tuple[float | None, float | None]], list[str]]:
    """The ends of the intervals of some statistics, and why there are none."""
    names = [*statistics]
    if number < _FEWEST:
        note = f"{count(number, _ONE[draws.resample])}: intervals need {_FEWEST} or more"
        if draws.resample == "queries":
            note += "; resample documents if they are independent"
        return [(None, None)] * len(names), [note]
    columns = "p.a, p.b, p.ratings, p.scale" if "kappa" in names else "p.ratings"
    unit = "p.query_id" if draws.resample == "queries" else "concat(p.query_id, chr(0), p.doc_id)"
    counted = keep(
        rows.reader,
        f"SELECT {unit} AS query_id, NULL AS document, {columns}, sum(p.times)::BIGINT AS times "
        f"FROM {rows.table} AS p GROUP BY ALL",
    )
    ((size,),) = rows.reader.con.execute(f"SELECT count(*) FROM {counted}").fetchall()
    needed = 32 * len(names) * draws.samples
    require_memory(rows.reader.con, needed, f"{draws.samples:,} bootstrap samples")
    samples = pl.concat(
        rows.ask(
            statistics,
            rows=f"resampled_queries({counted}, samples := {drawn}, seed := {draws.seed}, "
            f"first := {first})",
            by=["sample"],
        )
        for first, drawn in divide("drawing bootstrap samples", draws.samples, AT_ONCE // size + 1)
    )
    tail = ask(rows.reader.con, f"SELECT expanded_tail({float(draws.alpha)!r}, {number})").item()
    low, high = (
        samples.select(pl.col(names).quantile(at, "linear")).row(0) for at in (tail, 1 - tail)
    )
    ends = dict(zip(names, zip(low, high, strict=True), strict=True))
    # what is the same in all samples is not certain
    same = [name for name, (low, high) in ends.items() if low is not None and low == high]
    found = [(None, None) if name in same else each for name, each in ends.items()]
    listed = ", ".join(_LABELS[name] for name in same)
    return found, [f"no interval of {listed}: all samples have the same value"] if same else []


def _compare_runs(
    judges: Sequence[pl.DataFrame],
    run: Runs,
    metrics: str | Iterable[str] | None,
    options: dict[str, Any],
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The orders of the runs by two judges, and the pairs that change places; notes."""
    first, second = (each.filter(pl.col("relevance") >= 0) for each in judges)
    queries = first.join(second, on="query_id", how="semi")
    both = (each.join(queries, on="query_id", how="semi") for each in judges)
    scores = [evaluate(each, run, metrics, **options) for each in both]
    if scores[0].mean.height < 2:
        raise InputError("the order of runs needs two or more")
    tables = dict(zip(("scores_a", "scores_b"), scores, strict=True))
    call = f"FROM order_agreement({', '.join(tables)})"
    orders = run_query(call, tables, is_analysis=True).select([*_ORDERS])
    means = scores[0].mean.join(scores[1].mean, on="run_id", suffix=" by the second")
    turned = [
        {
            "metric": metric.name,
            "run_id": a["run_id"],
            "other": b["run_id"],
            "difference": ahead,
            "second_difference": behind,
        }
        for metric in scores[0].metrics
        for a, b in combinations(means.sort(metric.name, descending=True).rows(named=True), 2)
        if (ahead := a[metric.name] - b[metric.name])
        * (behind := a[f"{metric.name} by the second"] - b[f"{metric.name} by the second"])
        < 0
    ]
    notes = [note for each in scores for note in each.notes if metrics or note != each.notes[0]]
    return {"orders": orders, "turned": pl.DataFrame(turned, _TURNED)}, [*dict.fromkeys(notes)]


def _grade(grade: float) -> str:
    return f"{grade:g}"
