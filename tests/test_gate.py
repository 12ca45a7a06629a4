"""The gate: what passes, fails or is unsure, what it writes, and what it refuses."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run, run_command
from scipy import stats
from statsmodels.api import WLS

import sqlmetrics as sm


def make_scores(difference, n=50, spread=0.1, metric="AP"):
    """Scores of the runs old and new, whose mean difference is exactly as given."""
    random = np.random.default_rng(n)
    old = random.uniform(0.3, 0.6, n)
    noise = random.normal(0, spread, n)
    new = old + noise - noise.mean() + difference
    ids = [f"q{i}" for i in range(n)]
    return pl.DataFrame(
        {"run_id": ["old"] * n + ["new"] * n, "query_id": ids * 2, metric: [*old, *new]}
    )


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("difference", "status"),
    [(0.05, "passed"), (0.0, "passed"), (-0.02, "unsure"), (-0.2, "failed"), (-0.06, "failed")],
)
def test_a_loss_passes_fails_or_is_unsure_by_its_interval(difference, status):
    scores = make_scores(difference)
    found = sm.gate(scores, baseline="old", max_loss={"AP": 0.03})
    (row,) = found.checks.to_dicts()
    ours, theirs = (scores.filter(run_id=name)["AP"].to_numpy() for name in ("new", "old"))
    low, high = stats.ttest_rel(ours, theirs).confidence_interval(0.9)
    assert [row["low"], row["high"]] == pytest.approx([low, high])
    expected = "passed" if low >= -0.03 else "unsure"
    if high < -0.03:
        expected = "failed"
    assert row["status"] == found.status == expected == status
    assert bool(found) is (status != "failed")


@pytest.mark.thorough
def test_what_passes_is_not_inferior_by_the_test_of_statsmodels():
    from statsmodels.stats.weightstats import DescrStatsW

    for difference in np.linspace(-0.03, 0.01, 5):
        scores = make_scores(difference, n=30)
        found = sm.gate(scores, baseline="old", max_loss={"AP": 0.03})
        ours, theirs = (scores.filter(run_id=name)["AP"].to_numpy() for name in ("new", "old"))
        p = DescrStatsW(ours - theirs).ttest_mean(-0.03, "larger")[1]
        assert (found.status == "passed") is bool(p <= 0.05)


def test_a_gate_names_its_run_and_the_baseline(tmp_path):
    both = pl.concat([pl.read_csv(BM25), pl.read_csv(NEURAL)])
    both = both.with_columns(
        run_id=pl.Series(["a"] * pl.read_csv(BM25).height + ["b"] * pl.read_csv(NEURAL).height)
    )
    both.write_csv(tmp_path / "both.csv")
    gate = ("gate", QRELS, tmp_path / "both.csv", "--max-loss", "AP=2%")
    said = run(*gate, status=2)  # the order of rows says nothing
    assert said == "error: --max-loss needs a baseline; name it with --baseline, one of a, b\n"
    assert "Run: b, baseline: a." in run(*gate, "--baseline", "a", width=80)
    status, printed, _ = run_command(*gate, "--baseline", "b", width=80)
    assert status == 1
    assert "Run: a, baseline: b." in printed
    assert "which run should pass" in run(*gate[:3], "--fail-under", "AP=0.5", status=2)
    with pytest.raises(sm.InputError, match="name it with baseline=, one of a, b"):
        sm.gate(QRELS, tmp_path / "both.csv", max_loss={"AP": "2%"})
    printed = run("gate", QRELS, NEURAL, "--fail-under", "AP=0.5", width=80)
    assert "Run: neural. In brackets" in printed


def test_strict_fails_what_is_unsure():
    scores = make_scores(-0.02)
    passes = sm.gate(scores, baseline="old", max_loss={"AP": 0.03})
    assert passes
    assert any("it fails only if strict" in note for note in passes.notes)
    found = sm.gate(scores, baseline="old", max_loss={"AP": 0.03}, strict=True)
    assert not found
    assert not any("strict" in note for note in found.notes)
    assert found.status == "failed"
    assert 'failures="1"' in found.write("junit")


def test_what_returns_text_writes_no_file():
    found = sm.gate(make_scores(-0.02), baseline="old", max_loss={"AP": 0.03})
    for layout in ("junit", "markdown"):
        with pytest.raises(sm.InputError, match=r"digits of the text .*, not 'x.xml'"):
            found.write(layout, "x.xml")
    with pytest.raises(
        AttributeError, match=r"no write_json; call .write\('json'\), which returns"
    ):
        found.write_json("x.json")


def test_a_floor_is_for_the_mean_score():
    scores = make_scores(0.0).filter(run_id="new")
    mean = scores["AP"].mean()
    assert sm.gate(scores, fail_under={"AP": mean - 0.001}).status == "passed"
    found = sm.gate(scores, fail_under={"AP": mean + 0.001})
    assert found.status == "failed"
    assert found.checks["wins"].to_list() == [None]


@pytest.mark.parametrize(
    ("scores", "mean"),
    [([0.0, 0.3, 0.3], 0.2), ([0.3, 0.6, 0.3], 0.4), ([0.8, 0.5, 0.8, 1, 0.9, 0.8], 0.8)],
)
def test_a_mean_that_is_the_floor_passes(scores, mean):
    ids = [f"q{number}" for number in range(len(scores))]
    rows = pl.DataFrame({"run_id": "new", "query_id": ids, "P@10": [*map(float, scores)]})
    assert sm.gate(rows, fail_under={"P@10": mean}).status == "passed"
    assert sm.gate(rows, fail_under={"P@10": mean + 1e-6}).status == "failed"


def test_the_interval_beside_a_floor_stays_within_the_range_of_the_metric():
    scores = pl.DataFrame(
        {"run_id": "new", "query_id": ["1", "2", "3", "4"], "RR": [1.0, 1.0, 1.0, 1.0]}
    )
    (row,) = sm.gate(scores, fail_under={"RR": 0.5}).checks.to_dicts()
    # Wilson's: 1 / (1 + t² / (n - 1)), where all scores are 1
    assert row["low"] == pytest.approx(1 / (1 + stats.t.ppf(0.95, 3) ** 2 / 3))
    assert row["high"] == pytest.approx(1)
    other = scores.rename({"RR": "value"}).with_columns(value=pl.Series([1.0, 2.0, 3.0, 9.0]))
    (row,) = sm.gate(other, fail_under={"value": 0.5}).checks.to_dicts()
    low, high = stats.ttest_1samp(other["value"], 0).confidence_interval(0.9)
    assert [row["low"], row["high"]] == pytest.approx([low, high])
    gains = other.rename({"value": "DCG"})
    (row,) = sm.gate(gains, fail_under={"DCG": 0.5}).checks.to_dicts()
    assert low < 0
    assert [row["low"], row["high"]] == pytest.approx([0, high])


def test_a_check_fails_only_if_the_whole_interval_is_beyond_the_limit():
    found = sm.gate(make_scores(-0.032, spread=0.02), baseline="old", max_loss={"AP": 0.03})
    (row,) = found.checks.to_dicts()
    assert row["low"] < -0.03 < row["high"] < 0
    assert found.status == "unsure"


def test_a_limit_in_per_cent_includes_the_uncertainty_of_the_baseline():
    scores = make_scores(-0.1, n=30)
    found = sm.gate(scores, baseline="old", max_loss={"AP": "30%"}).checks.to_dicts()[0]
    ours, theirs = (scores.filter(run_id=name)["AP"].to_numpy() for name in ("new", "old"))
    low, high = stats.ttest_1samp(ours - 0.7 * theirs, 0).confidence_interval(0.9)
    limit = 0.3 * theirs.mean()
    assert found["limit"] == pytest.approx(-limit)
    assert found["value"] == pytest.approx((ours - theirs).mean())
    assert [found["low"], found["high"]] == pytest.approx([low - limit, high - limit])


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [0.5, "50%"])
def test_the_interval_of_a_difference_stays_within_what_it_can_be(limit):
    ours, theirs = np.array([1.0, 1.0, 1.0, 0.2]), np.array([0.0, 0.0, 0.1, 0.0])
    kept = 1 if limit == 0.5 else 0.5
    _, high = stats.ttest_1samp(ours - kept * theirs, 0).confidence_interval(0.9)
    high -= (1 - kept) * theirs.mean()
    assert high > 1
    scores = pl.DataFrame(
        {
            "run_id": ["old"] * 4 + ["new"] * 4,
            "query_id": [*"abcd"] * 2,
            "AP": [*theirs, *ours],
        }
    )
    # of a name that is not a metric's, nothing is known
    for name, expected in (("AP", 1), ("score", pytest.approx(high))):
        named = scores.rename({"AP": name})
        (row,) = sm.gate(named, baseline="old", max_loss={name: limit}).checks.to_dicts()
        assert row["high"] == expected
    turned = sm.gate(scores, "old", baseline="new", max_loss={"AP": 0.9}).checks
    assert turned["low"].item() == -1


def test_failures_of_many_checks_can_be_corrected():
    scores = pl.concat(
        make_scores(-0.045, n=40 + number, metric="score").with_columns(metric=pl.lit(f"m{number}"))
        for number in range(6)
    )
    limits = {f"m{number}": 0.02 for number in range(6)}
    p = {}
    for (metric,), part in scores.group_by("metric"):
        ours, theirs = (part.filter(run_id=name)["score"].to_numpy() for name in ("new", "old"))
        p[metric] = stats.ttest_1samp(ours - theirs, -0.02, alternative="less").pvalue
    alone = sm.gate(scores, baseline="old", max_loss=limits)
    assert dict(alone.checks.select("metric", "status").rows()) == {
        metric: "failed" if value < 0.05 else "unsure" for metric, value in p.items()
    }
    assert any("6 checks are not corrected" in note for note in alone.notes)
    together = sm.gate(scores, baseline="old", max_loss=limits, correction="bonferroni")
    statuses = dict(together.checks.select("metric", "status").rows())
    assert statuses == {m: "failed" if 6 * value < 0.05 else "unsure" for m, value in p.items()}
    spared = sum(0.05 / 6 <= value < 0.05 for value in p.values())
    assert spared
    assert f"{spared} of 6 checks would fail alone, but not when corrected" in together.notes[0]


@pytest.mark.thorough
def test_single_queries_may_lose_no_more_than_allowed():
    scores = pl.DataFrame(
        {
            "run_id": ["old"] * 20 + ["new"] * 20,
            "query_id": [*range(20)] * 2,
            "AP": [0.6] * 20 + [0.1, 0.3] + [0.8] * 18,
        }
    )
    cases = {0.5: (0.0, "passed"), 0.4: (0.05, "failed"), "0.4 in 5%": (0.05, "passed")}
    cases |= {"0.25 in 5%": (0.1, "failed"), "0.25 in 10%": (0.1, "passed")}
    for limit, (share, status) in cases.items():
        found = sm.gate(scores, baseline="old", max_query_loss={"AP": limit})
        (row,) = found.checks.to_dicts()
        assert (row["value"], row["status"]) == (pytest.approx(share), status), limit
        assert row["low"] <= share <= row["high"] <= 1
    assert found.worst["query_id"].to_list() == ["0", "1"]
    assert "AP: at most 10% of queries lose more than 0.25" in found.write()
    assert "2 of 20 do (" in found.write()
    for scale in (1e-300, 1e12):  # a loss of just the limit, except for rounding, is allowed
        scaled = scores.select("run_id", "query_id", value=pl.col("AP") * scale)
        for limit, lost in ((0.3 * scale, 0.05), (0.299 * scale, 0.1), (0.499 * scale, 0.05)):
            found = sm.gate(scaled, baseline="old", max_query_loss={"value": limit})
            assert found.checks["value"].item() == pytest.approx(lost), (scale, limit)


def test_a_share_is_of_the_score_of_the_baseline():
    scores = make_scores(-0.02, spread=0.001)
    mean = scores.filter(run_id="old")["AP"].mean()
    for share, status in ((1.05, "passed"), (0.95, "failed")):
        limit = f"{100 * share * 0.02 / mean:.6f}%"
        assert sm.gate(scores, baseline="old", max_loss={"AP": limit}).status == status


def test_each_segment_is_checked_besides_all_queries():
    scores = make_scores(0.0).with_columns(
        lang=pl.when(pl.col("query_id").str.ends_with("1"))
        .then(pl.lit("de"))
        .otherwise(pl.lit("en"))
    )
    worse = scores.with_columns(
        AP=pl.when((pl.col("run_id") == "new") & (pl.col("lang") == "de"))
        .then(pl.col("AP") - 0.5)
        .otherwise("AP")
    )
    found = sm.gate(worse, baseline="old", max_loss={"AP": 0.1}, by="lang").checks
    assert found["lang"].to_list() == [None, "de", "en"]
    for segment, status in found.select("lang", "status").rows():
        part = worse if segment is None else worse.filter(lang=segment)
        ours, theirs = (part.filter(run_id=name)["AP"].to_numpy() for name in ("new", "old"))
        low, high = stats.ttest_rel(ours, theirs).confidence_interval(0.9)
        assert status == ("passed" if low >= -0.1 else "failed" if high < -0.1 else "unsure")
    assert found["queries"].to_list() == [50, 5, 45]
    alone = sm.gate(worse.filter(lang="en"), baseline="old", max_loss={"AP": 0.1}).checks
    assert alone["low"][0] == pytest.approx(found["low"][2])


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["csv", "parquet", "frame", "scores"])
def test_the_baseline_may_be_kept_from_an_earlier_release(tmp_path, kind):
    old, new = sm.evaluate(QRELS, BM25, "AP"), sm.evaluate(QRELS, NEURAL, "AP")
    kept = {"frame": old.per_query, "scores": old}.get(kind, tmp_path / f"kept.{kind}")
    if kind in ("csv", "parquet"):
        getattr(old.per_query, f"write_{kind}")(kept)
    found = sm.gate(new, baseline=kept, max_loss={"AP": 0.02})
    both = sm.evaluate(QRELS, [BM25, NEURAL], "AP")
    expected = sm.gate(both, "neural", baseline="bm25", max_loss={"AP": 0.02}).checks
    assert found.checks.select(pl.col(pl.Float64)).row(0) == pytest.approx(
        expected.select(pl.col(pl.Float64)).row(0)
    )
    assert found.checks["check", "status"].equals(expected["check", "status"])


def test_changed_queries_are_refused_unless_allowed():
    scores = make_scores(0.0)
    changed = scores.filter((pl.col("run_id") == "new") | (pl.col("query_id") != "q7"))
    found = sm.gate(changed, baseline="old", max_loss={"AP": 0.1}, allow=["changed-queries"])
    assert found.checks["queries"].to_list() == [49]


def test_one_query_and_no_spread_are_refused_unless_allowed():
    one = make_scores(-0.2, n=1)
    assert (
        sm.gate(one, baseline="old", max_loss={"AP": 0.1}, allow=["one-query"]).status == "failed"
    )
    same = make_scores(0.0, spread=0.0)
    assert (
        sm.gate(same, baseline="old", max_loss={"AP": 0.1}, allow=["no-spread"]).status == "passed"
    )


@pytest.mark.parametrize(
    ("old", "new", "loss"),
    [(0.5, 0.48, 0.02), (0.8, 0.5, 0.3), (0.6, 0.57, "5%"), (0.9, 0.81, "10%")],
)
@pytest.mark.parametrize(("number", "allow"), [(1, "one-query"), (3, "no-spread")])
def test_a_loss_that_is_the_largest_allowed_passes(old, new, loss, number, allow):
    ids = [f"q{each}" for each in range(number)] * 2
    runs = ["old"] * number + ["new"] * number
    rows = pl.DataFrame({"run_id": runs, "query_id": ids, "AP": [old] * number + [new] * number})
    options = {"baseline": "old", "allow": [allow]}
    assert sm.gate(rows, max_loss={"AP": loss}, **options).status == "passed"
    assert sm.gate(rows, max_loss={"AP": old - new - 1e-6}, **options).status == "failed"


def test_junit_markdown_and_json_say_the_same():
    scores = make_scores(-0.02).join(make_scores(-0.2, metric="RR <1>"), on=["run_id", "query_id"])
    limits = {"AP": 0.03, "RR <1>": 0.03}
    found = sm.gate(scores, baseline="old", max_loss=limits, fail_under={"AP": 0.1})
    suite = ElementTree.fromstring(found.write("junit"))
    assert suite.attrib == {
        "name": "sqlmetrics", "tests": "3", "failures": "1", "errors": "0", "skipped": "1",
    }  # fmt: skip
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "AP at least 0.1": ["system-out"],
        "AP loses at most 0.03": ["skipped", "system-out"],
        "RR <1> loses at most 0.03": ["failure", "system-out"],
    }
    told = json.loads(found.write("json"))
    assert told["status"] == "failed"
    assert [row["status"] for row in told["checks"]] == ["passed", "unsure", "failed"]
    page = found.write("markdown")
    assert page.startswith("### Search quality: failed\n")
    assert page.count("✅") == page.count("❌") == 1
    assert r"RR \<1\>" in page
    assert "Queries that lost most" in page


# The command


def test_the_command_passes_fails_and_refuses_by_its_status(tmp_path):
    kept = tmp_path / "kept.parquet"
    run("evaluate", QRELS, BM25, "-m", "AP nDCG@10", "-q", "-o", kept)
    limits = ("--max-loss", "nDCG@10=2%", "--fail-under", "AP=0.5")
    passed = run("gate", QRELS, kept, NEURAL, *limits, width=80)
    _, status, below = passed.split("\n\n")
    assert status == "passed"
    assert below.startswith("Run: neural, baseline: bm25. In brackets: 90% intervals.")
    assert max(map(len, below.splitlines())) <= 80
    failed = ("gate", QRELS, NEURAL, BM25, "--max-loss", "map=0.02")
    junit, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
    summary.write_text("# Before\n", encoding="utf-8")
    run(*failed, "--junit", junit, "--summary", summary, status=1)
    suite = ElementTree.parse(junit).getroot()
    assert [case.get("name") for case in suite] == ["map loses at most 0.02"]
    assert suite.get("failures") == "1"
    assert summary.read_text(encoding="utf-8").startswith("# Before\n### Search quality: failed")
    run(*failed, "--database", tmp_path / "nowhere.db", status=2)


def test_a_metric_may_be_spelled_in_two_ways_by_two_options():
    printed = run(
        *("gate", QRELS, BM25, NEURAL, "-f", "json"),
        *("--fail-under", "AP=0.5", "--max-loss", "map=0.02"),
    )
    checks = json.loads(printed)["checks"]
    assert [(each["limit"], each["status"]) for each in checks] == [
        (0.5, "passed"),
        (-0.02, "passed"),
    ]


def test_a_limit_is_for_the_metric_by_the_options_of_the_scores():
    given = ("gate", QRELS, NEURAL, "-f", "json", "--fail-under")
    (check,) = json.loads(run(*given, "map=0.5", "--rel", "2"))["checks"]
    (same,) = json.loads(run(*given, "AP(rel=2)=0.5"))["checks"]
    assert (check["metric"], check["value"]) == ("map", same["value"])


@pytest.mark.thorough
def test_a_gate_notes_that_run_and_baseline_differ_in_what_is_judged(tmp_path):
    qrels = {q: {"a": 1, "b": 1} for q in ("q1", "q2")}
    old = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "x": 1.0}}
    new = {"q1": {"x": 2.0, "y": 1.0}, "q2": {"b": 2.0, "x": 1.0}}
    says = (
        "{} has 75% of its first 2 documents judged, {} 25%: differences may come from documents "
        "that are not judged; see bounds"
    )
    limit = {"P@2": 0.9}
    both = sm.evaluate(qrels, {"old": old, "new": new}, "P@2")
    found = sm.gate(both, baseline="old", max_loss=limit)
    assert says.format("old", "new") in found.notes
    run, kept = (sm.evaluate(qrels, each, "P@2") for each in (new, old))
    found = sm.gate(run, baseline=kept, max_loss=limit)
    assert says.format("the baseline", "the run") in found.notes
    assert not [n for n in sm.gate(run, fail_under={"P@2": 0}).notes if "judged" in n]
    # kept scores do not have it
    found = sm.gate(run, baseline=kept.per_query, max_loss=limit)
    assert not [note for note in found.notes if "judged" in note]


def test_scores_on_two_scales_are_refused(tmp_path):
    scores = make_scores(0.0)
    kept = scores.filter(run_id="old").with_columns(AP=100 * pl.col("AP"))
    new = scores.filter(run_id="new")
    both = new.with_columns(AP=100 * pl.col("AP"))
    assert sm.gate(both, baseline=kept, max_loss={"AP": 5.0}).status == "passed"


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [0.02, "0.02", "2e-2", " .02 "])
def test_a_limit_is_a_number_or_its_text(limit):
    scores = make_scores(-0.01)
    for option in ("max_loss", "max_query_loss"):
        found = sm.gate(scores, "new", baseline="old", **{option: {"AP": limit}})
        assert (
            found.checks["check"]
            .to_list()[0]
            .endswith(("at most 0.02", "no query loses more than 0.02"))
        )
    (row,) = sm.gate(scores, "new", baseline="old", fail_under={"AP": limit}).checks.to_dicts()
    assert row["limit"] == 0.02
    (row,) = sm.gate(scores, "new", baseline="old", fail_under={"AP": "2%"}).checks.to_dicts()
    assert row["limit"] == 0.02


@pytest.mark.parametrize("limit", [0.2, "20%"])
def test_weighted_losses_are_those_of_statsmodels(limit):
    drawn, number = np.random.default_rng(1), 40
    weight = drawn.lognormal(0, 1, number)
    scores = pl.DataFrame(
        {
            "run_id": np.repeat(["old", "new"], number),
            "query_id": [*map(str, range(number))] * 2,
            "AP": drawn.random(2 * number),
            "asked": np.tile(weight, 2),
        }
    )
    old, new = (scores.filter(run_id=run)["AP"].to_numpy() for run in ("old", "new"))
    found = sm.gate(
        scores,
        "new",
        baseline="old",
        weight="asked",
        fail_under={"AP": 0.3},
        max_loss={"AP": limit},
        max_query_loss={"AP": "0.3 in 30%"},
    )
    floor, loss, lost = found.checks.iter_rows(named=True)
    assert floor["value"] == pytest.approx(np.average(new, weights=weight))
    assert lost["value"] == pytest.approx(np.average(old - new > 0.3, weights=weight))
    assert loss["value"] == pytest.approx(np.average(new - old, weights=weight))
    kept = new - (0.8 if limit == "20%" else 1) * old
    fitted = WLS(kept, np.ones(number), weights=weight).fit(cov_type="HC2")
    t = stats.t(weight.sum() ** 2 / (weight**2).sum() - 1)
    ends = loss["value"] + np.array([-1, 1]) * t.isf(0.05) * fitted.bse[0]
    assert [loss["low"], loss["high"]] == pytest.approx(ends, rel=1e-9)
    assert found.notes[0] == "means and differences are weighted by asked"
    same = scores.with_columns(asked=pl.lit(7))
    options = {"baseline": "old", "max_loss": {"AP": limit}}
    weighted = sm.gate(same, "new", weight="asked", **options).checks
    plain = sm.gate(scores.drop("asked"), "new", **options).checks
    for name in ("value", "low", "high", "limit", "detectable"):
        assert weighted[name].item() == pytest.approx(plain[name].item(), rel=1e-12)


def test_a_gate_takes_judgments_and_runs_the_first_of_which_is_the_baseline(tmp_path):
    random = np.random.default_rng(3)
    qrels = {str(n): {"a": 1} for n in range(40)}
    shares = {"z_old": 0.5, "a_new": 0.9}
    runs = {
        name: {
            query: {"a": 1.0} if random.random() < share else {"x": 2.0, "a": 1.0}
            for query in qrels
        }
        for name, share in shares.items()
    }
    limits = {"fail_under": {"P@1": 0.3}, "max_loss": {"RR": 0.1}}
    found = sm.gate(qrels, runs, **limits)  # by the metrics that have limits
    scores = sm.evaluate(qrels, runs, "P@1 RR")
    expected = sm.gate(scores, "a_new", baseline="z_old", **limits)
    assert found.checks.equals(expected.checks)
    assert found.checks["value"].to_list()[1] > 0.1
    assert sm.gate(scores, **limits).checks.equals(expected.checks)
    assert sm.gate(qrels, [*runs.values()], "P@1 RR AP", **limits).checks.equals(expected.checks)
    turned = {name: runs[name] for name in ("a_new", "z_old")}
    assert sm.gate(qrels, turned, "RR", max_loss={"RR": 0.1}).status == "failed"
    alone = sm.gate(qrels, runs["a_new"], fail_under={"P@1": 0.3})
    assert alone.checks["value"].item() == pytest.approx(scores["P@1", "a_new"])
    kept = tmp_path / "kept.csv"
    sm.evaluate(qrels, runs["z_old"], "RR").per_query.write_csv(kept)
    found = sm.gate(qrels, runs["a_new"], "RR", baseline=kept, max_loss={"RR": 0.1})
    assert found.checks["value"].item() == expected.checks["value"][1]
    with pytest.raises(sm.InputError, match="max_loss needs a baseline"):
        sm.gate(qrels, runs["a_new"], max_loss={"RR": 0.1})
    three = {**runs, "b_newer": runs["a_new"]}
    with pytest.raises(sm.InputError, match="Name one of a_new, b_newer"):
        sm.gate(qrels, three, **limits)
    assert sm.gate(sm.evaluate(qrels, three, "P@1 RR"), "a_new", **limits).checks.equals(
        expected.checks
    )
    # which of two runs of a table came first is not known
    with pytest.raises(sm.InputError, match="which run should pass"):
        sm.gate(scores.per_query, fail_under={"RR": 0.1})


def test_queries_without_a_segment_are_none_and_those_of_all_segments_all():
    scores = make_scores(0.0).with_columns(lang=pl.lit("de").replace("de", None))
    found = sm.gate(scores, baseline="old", max_loss={"AP": 0.1}, by="lang")
    assert found.checks["lang"].to_list() == [None, None]  # of the gate, and of the segment
    (table,) = found.tables()
    assert table.frame["lang"].to_list() == ["all", "None"]
    cases = ElementTree.fromstring(found.write("junit"))
    assert [each.get("name").partition("[")[2] for each in cases] == ["", "lang None]"]


@pytest.mark.parametrize("name", ["baseline_score", "difference", "lowest", "highest"])
def test_what_a_segment_is_called_changes_nothing(name):
    limits = {"fail_under": {"AP": 0.4}, "max_query_loss": {"AP": "0.1 in 5%"}}
    limits["max_loss"] = {"AP": "20%"}
    scores = make_scores(0.0).with_columns(lang=pl.col("query_id").str.tail(1))
    expected = sm.gate(scores, baseline="old", by="lang", **limits)
    found = sm.gate(scores.rename({"lang": name}), baseline="old", by=name, **limits)
    assert found.checks.rename({name: "lang"}).equals(expected.checks)
    assert found.write("junit") == expected.write("junit").replace("lang", name)


def test_weights_are_those_of_a_metric_and_the_same_for_both_runs():
    rows = [
        (run_id, query_id, metric, score, weight)
        for metric, weights in (("AP", (1.0, 2.0)), ("RR", (5.0, 1.0)))
        for run_id, found in (("old", (0.1, 0.2)), ("new", (0.3, 0.5)))
        for query_id, score, weight in zip("ab", found, weights, strict=True)
    ]
    names = ["run_id", "query_id", "metric", "score", "weight"]
    scores = pl.DataFrame(rows, names, orient="row")
    options = {"baseline": "old", "max_loss": {"AP": 0.1, "RR": 0.1}}
    checks = sm.gate(scores, **options).checks
    assert checks["value"].to_list() == pytest.approx([0.8 / 3, 1.3 / 6])
    others = scores.with_columns(pl.col("weight") + (pl.col("run_id") == "old"))
    with pytest.raises(sm.InputError, match="the weight of query a must be the same for all runs"):
        sm.gate(others, **options)


@pytest.mark.parametrize("name", ["check", "kind", "limit", "result", "status", "wins"])
def test_a_segment_cannot_have_the_name_of_a_column_of_the_checks(name):
    scores = make_scores(0.0).with_columns(pl.lit("x").alias(name))
    with pytest.raises(sm.InputError, match=f"by: {name} is a column of the result"):
        sm.gate(scores, "new", fail_under={"AP": 0.1}, by=name)
