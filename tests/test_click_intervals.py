"""Intervals of the metrics of clicks: over users, whose pages are alike, or over pages."""

from __future__ import annotations

import math
import re

import numpy as np
import polars as pl
import pytest
from click_logs import draw_log, score_log
from commands import run_command
from scipy import stats
from statsmodels.regression.linear_model import OLS

import sqlmetrics as sm

RATES = "CTR CTR@1 ClickSuccess ClickRR Abandonment ZeroResults SkipAbove LongClicks"
MEANS = "ClickRank ResponseTime TimeToClick(percentile=None)"


def draw_users(random, logs, users, rate=0.1, spread=4, shown=5):
    """Logs of users, each with a taste that all clicks depend on: who likes more searches more."""
    taste = random.beta(rate * spread, (1 - rate) * spread, (logs, users))
    pages = 1 + random.poisson(5, taste.shape) + random.binomial(6, taste)
    user = np.repeat(np.arange(taste.size), pages.ravel())
    page = np.repeat(np.arange(user.size), shown)
    position = np.tile(np.arange(1, shown + 1), user.size)
    return pl.DataFrame(
        {
            "log": user[page] // users,
            "user_id": user[page],
            "page_id": page,
            "query_id": "q",
            "doc_id": position.astype(str),
            "position": position,
            "clicked": (random.random(page.size) < taste.ravel()[user[page]]).astype(int),
        }
    )


def ask(log, metrics, **options):
    """The scores with intervals, and what was remarked."""
    scores = sm.evaluate(log=log, metrics=metrics, intervals=True, **options)
    return scores.mean, [*scores.notes]


def sum_by_unit(log, metric, unit):
    """What each user, or page, adds to the numerator and denominator of a metric, in Python."""
    sums = {}
    for _, page in log.group_by("page_id"):
        shown = page.filter(pl.col("doc_id").is_not_null())
        clicked = shown.filter(pl.col("clicked") == 1)
        first, last = clicked["position"].min(), clicked["position"].max()
        above = shown.filter(pl.col("position") < (last or 0))
        dwells, response = clicked["dwell_time"].drop_nulls(), page["response_time"][0]
        time = clicked["time_to_click"].min()
        top = shown.filter(position=1)["clicked"].to_list()
        key = page["page_id"][0] if unit == "page" else page["user_id"][0]
        y, x = {
            "CTR": (clicked.height, shown.height),
            "CTR@1": (sum(top), len(top)),
            "ClickSuccess": (first is not None, 1),
            "ClickRR": (1 / first if first else 0, 1),
            "Abandonment": (shown.height > 0 and not first, shown.height > 0),
            "ZeroResults": (shown.is_empty(), 1),
            "SkipAbove": (above.filter(clicked=0).height, above.height),
            "LongClicks": ((dwells >= 30).sum(), len(dwells)),
            "ClickRank": (clicked["position"].sum(), clicked.height),
            "ResponseTime": (response or 0, response is not None),
            "TimeToClick(percentile=None)": (time or 0, time is not None),
        }[metric]
        before = sums.get(key, (0, 0))
        sums[key] = before[0] + y, before[1] + x
    return np.array([parts for parts in sums.values() if parts[1] > 0], float).T


def bound(y, x, limits, alpha=0.05):
    """The interval of a ratio: by Wilson's formula between two limits, else by Student's t.

    Units of uneven weights ``x`` are as good as fewer of the same weight (Kish 1965).
    """
    n, ratio = len(y), y.sum() / x.sum()
    if n < 2:
        return None, None
    values = ratio + (y - ratio * x) / x.mean()
    effective = max(x.sum() ** 2 / (x**2).sum(), 2)
    t = stats.t.ppf(1 - alpha / 2, effective - 1)
    if limits is None:
        margin = t * values.std(ddof=1) / math.sqrt(n)
        return (ratio - margin, ratio + margin) if margin > 1e-12 * abs(ratio) else (None, None)
    most = ratio * (1 - ratio)
    variance = values.var() * x.sum() ** 2 / (x**2).sum() / n
    effect = ((effective - 1) * variance / most + 1) / effective if most > 0 else 1
    k = t**2 / (effective - 1) * effect
    return tuple(
        (ratio + k / 2 + side * math.sqrt(k * most + k**2 / 4)) / (1 + k) for side in (-1, 1)
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("unit", ["page", "user"])
@pytest.mark.parametrize("seed", range(8))
def test_intervals_are_those_of_a_calculation_by_unit(seed, unit):
    log = draw_log(seed)
    if unit == "user":
        log = log.with_columns(user_id=pl.col("page_id").str.slice(1).cast(int) % 9)
    metrics = f"{RATES} {MEANS}"
    found, _ = ask(log, metrics)
    row = found.row(0, named=True)
    for metric in re.findall(r"\S+", metrics):
        parts = sum_by_unit(log, metric, unit)
        ends = row[f"{metric}_low"], row[f"{metric}_high"]
        if parts.size == 0:
            assert (row[metric], *ends) == (None, None, None)
            continue
        assert row[metric] == pytest.approx(parts[0].sum() / parts[1].sum(), rel=1e-12)
        low, high = bound(*parts, None if metric in MEANS else (0, 1))
        if low is not None and metric in MEANS:
            low = max(low, 1 if metric == "ClickRank" else 0)
        assert ends == ((None, None) if low is None else pytest.approx((low, high), abs=1e-9)), (
            metric
        )


def test_the_error_of_a_share_is_that_of_a_model_with_clusters():
    """Of statsmodels, without its corrections for few clusters."""
    log = draw_users(np.random.default_rng(3), 1, 400)
    found, _ = ask(log, "CTR")
    groups = {"groups": log["user_id"].to_numpy(), "use_correction": False}
    model = OLS(log["clicked"].to_numpy(), np.ones(log.height))
    fitted = model.fit(cov_type="cluster", cov_kwds=groups)
    y, x = (
        log.group_by("user_id")
        .agg(pl.sum("clicked"), pl.len())
        .select("clicked", "len")
        .to_numpy()
        .T
    )
    values = (y - y.sum() / x.sum() * x) / x.mean()
    assert fitted.params[0] == pytest.approx(found["CTR"][0])
    assert values.std() / math.sqrt(len(y)) == pytest.approx(fitted.bse[0], rel=1e-9)
    margin = stats.t.ppf(0.975, len(y) - 1) * fitted.bse[0]
    width = found["CTR_high"][0] - found["CTR_low"][0]
    assert width == pytest.approx(2 * margin, rel=0.01)


def test_a_segment_has_the_interval_of_its_own_log():
    log = draw_users(np.random.default_rng(4), 3, 20)
    found, _ = ask(log, "CTR ClickRank Pages", by="log")
    for number in range(3):
        own, _ = ask(log.filter(log=number), "CTR ClickRank Pages")
        assert found.filter(log=number).drop("log").row(0) == pytest.approx(own.row(0))
    columns = ["log", "CTR", "CTR_low", "CTR_high", "ClickRank", "ClickRank_low", "ClickRank_high"]
    assert found.columns == [*columns, "Pages"]
    missing = log.with_columns(log=pl.when(pl.col("log") > 0).then("log"))
    assert ask(missing, "CTR ClickRank Pages", by="log")[0].row(0)[1:] == pytest.approx(
        found.row(0)[1:]
    )


def test_alpha_sets_how_often_intervals_contain_the_true_score():
    log = draw_users(np.random.default_rng(5), 1, 60)
    widths = [
        found["CTR_high"][0] - found["CTR_low"][0]
        for alpha in (0.01, 0.05, 0.2)
        for found, _ in [ask(log, "CTR", alpha=alpha)]
    ]
    assert widths == sorted(widths, reverse=True)


def test_scores_are_the_same_with_intervals():
    log = draw_log(5)
    metrics = f"{RATES} {MEANS} Pages Clicks TimeToClick SlowAbandonment"
    scores = score_log(log, metrics)
    assert ask(log, metrics)[0].select(scores.columns).equals(scores)


@pytest.mark.parametrize("name", ["run_id", "query_id", "segment", "score", "metric"])
def test_a_column_of_any_name_divides_the_log(name):
    log = draw_users(np.random.default_rng(8), 2, 20)
    expected, _ = ask(log, "CTR", by="log")
    found, _ = ask(log.with_columns(pl.col("log").alias(name)), "CTR", by=name)
    columns = ["CTR", "CTR_low", "CTR_high"]
    assert found.select(columns).equals(expected.select(columns))


def test_pages_of_unknown_users_are_each_by_another_one():
    log = draw_users(np.random.default_rng(6), 1, 30)
    known = log.with_columns(user_id=pl.when(pl.col("user_id") < 0).then("user_id"))
    (of_pages, _), (of_nobody, _) = ask(log.drop("user_id"), "CTR"), ask(known, "CTR")
    assert of_nobody.row(0) == pytest.approx(of_pages.row(0))


def test_the_column_of_users_may_have_another_name():
    log = draw_users(np.random.default_rng(7), 1, 30)
    expected, remarks = ask(log, "CTR")
    assert remarks == []
    for name, options in {
        "Visitor ID": {},
        "who": {"columns": {"user_id": "who"}},
        "customer_id": {},
    }.items():
        found, remarks = ask(log.rename({"user_id": name, "query_id": "query"}), "CTR", **options)
        assert found.equals(expected)
        assert "as user_id" in remarks[0]


def test_intervals_over_pages_and_few_of_them_are_noted():
    log = draw_log(3, pages=40).filter(pl.col("page_id").is_in([f"p{n}" for n in range(6)]))
    _, remarks = ask(log, "CTR Pages TimeToClick")
    assert remarks[0].startswith("intervals treat each page as another user's; where")
    assert re.fullmatch(r"with fewer than 10 pages, intervals are a rough guide.*", remarks[1])
    assert remarks[2] == "no interval for Pages, TimeToClick"


def test_large_times_have_an_interval():
    log = draw_users(np.random.default_rng(10), 1, 30).with_columns(
        response_time=100.0 + pl.col("page_id") % 7
    )
    expected, _ = ask(log, "ResponseTime")
    found, _ = ask(log.with_columns(pl.col("response_time") * 1e30), "ResponseTime")
    assert found.row(0) == pytest.approx([value * 1e30 for value in expected.row(0)])


def test_the_command_shows_intervals(tmp_path):
    log = draw_users(np.random.default_rng(9), 1, 30)
    log.write_csv(tmp_path / "log.csv")
    found, _ = ask(log, "CTR", alpha=0.1)
    given = ["-m", "CTR", "--intervals", "--alpha", "0.1", "-f", "csv"]
    status, printed, _ = run_command("evaluate", "--log", str(tmp_path / "log.csv"), *given)
    assert (status, printed) == (0, found.write_csv())


@pytest.mark.thorough
def test_intervals_over_users_contain_the_true_share_and_those_over_pages_do_not():
    rate, spread, logs = 0.1, 4, 400
    tastes = np.random.default_rng(0).beta(rate * spread, (1 - rate) * spread, 4_000_000)
    truth = np.average(tastes, weights=6 + 6 * tastes)
    log = draw_users(np.random.default_rng(1), logs, 40, rate, spread)

    def count(frame):
        found, _ = ask(frame, "CTR", by="log")
        return found.select(pl.lit(truth).is_between("CTR_low", "CTR_high").mean()).item()

    error = math.sqrt(0.05 * 0.95 / logs)
    assert abs(count(log) - 0.95) < 3 * error
    assert count(log.drop("user_id")) < 0.75
