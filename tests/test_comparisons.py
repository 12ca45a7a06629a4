"""Each comparison against scipy, statsmodels or all cases, and what its guards refuse."""

from __future__ import annotations

import hashlib
import itertools
import math
import random
import re

import duckdb
import numpy as np
import polars as pl
import pytest
from conftest import ROOT, install_copy, keep, open_shell
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.inputs.streams import Stream

# The heights of Darwin's maize, crossed less self-fertilized, in eighths of an inch (Fisher 1935,
# The Design of Experiments, chapter 3)
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
SIZES = [*range(2, 20), 30, 45, 50, 51, 60, 100, 250, 1000]


def draw_sample(random, n):
    """Scores of two runs: continuous, in steps with many ties, or nearly the same."""
    kind = random.integers(4)
    if kind == 0:
        return random.random(n), random.random(n)
    if kind == 1:
        return random.integers(0, 6, n) / 5, random.integers(0, 6, n) / 5
    baseline = random.integers(0, 11, n) / 10
    if kind == 2:
        return np.clip(baseline + random.choice([0, 0, 0.1, -0.1, 0.5], n), 0, 1), baseline
    return baseline + random.normal(0.05, 0.01, n), baseline


def make_samples():
    random = np.random.default_rng(14)
    sizes = [n for n in SIZES for _ in range(12)] + [7000] * 3
    return {f"s{number:03}": draw_sample(random, n) for number, n in enumerate(sizes)}


SAMPLES = make_samples()


def make_scores(samples):
    """Each sample as a metric, with the runs new and old."""
    return pl.concat(
        pl.DataFrame(
            {
                "query_id": [f"q{i:05}" for i in range(len(scores))],
                "score": np.asarray(scores, float),
            }
        ).select(pl.lit(name).alias("metric"), pl.lit(run).alias("run_id"), "query_id", "score")
        for name, (new, old) in samples.items()
        for run, scores in (("new", new), ("old", old))
    )


def connect(samples):
    con = open_shell(scores=make_scores(samples))
    con.execute("CREATE TABLE pairs AS FROM paired(scores, baseline := 'old')")
    return con


@pytest.fixture(scope="module")
def con():
    return connect(SAMPLES)


def ask(con, expression, rows="pairs", group="p.metric, p.run_id, p.baseline"):
    query = f"SELECT p.metric, {expression} FROM {rows} AS p GROUP BY {group}"
    return dict(con.execute(query).fetchall())


def has_spread(x):
    return np.ptp(x) > 1e-12 * np.abs(x).max(initial=0)


def assert_equal(got, expect, tolerance=1e-12):
    """Compare what SQL gave by sample with what a function of the differences gives."""
    for name, (new, old) in SAMPLES.items():
        expected = expect(new - old)
        if expected is None:
            assert got[name] is None, name
        else:
            assert got[name] == pytest.approx(expected, rel=tolerance, abs=1e-15), (name, len(new))


@pytest.mark.few(1)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("margin", [0, 0.02, -0.3])
def test_paired_t_is_that_of_scipy(con, margin, alternative):
    def expect(x):
        if not has_spread(x):
            return 1.0 if np.all(x == margin) else None
        return stats.ttest_1samp(x, margin, alternative=alternative).pvalue

    got = ask(con, f"paired_t(p, margin := {margin}, alternative := '{alternative}')")
    assert_equal(got, expect, 1e-9)  # scipy has 10 digits with one degree of freedom


@pytest.mark.thorough
def test_non_inferiority_and_equivalence_are_those_of_statsmodels(con):
    def skip_constant(function):
        return lambda x: function(DescrStatsW(x)) if has_spread(x) else None

    got = ask(con, "non_inferior_t(p, margin := 0.05)")
    assert_equal(got, skip_constant(lambda d: d.ttest_mean(-0.05, "larger")[1]), 1e-9)
    got = ask(con, "equivalent_t(p, margin := 0.05)")
    assert_equal(got, skip_constant(lambda d: d.ttost_mean(-0.05, 0.05)[0]), 1e-9)


@pytest.mark.few(1)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_the_margin_of_error_is_that_of_scipy(con, confidence):
    def expect(x):
        if not has_spread(x):
            return 0.0
        low, high = stats.ttest_1samp(x, 0).confidence_interval(confidence)
        return (high - low) / 2

    assert_equal(ask(con, f"margin_of_error(p, confidence := {confidence})"), expect, 1e-9)


def count_outcomes(x):
    return int((x > 1e-9).sum()), int((x < -1e-9).sum())


@pytest.mark.few(1)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_sign_test_is_that_of_scipy(con, alternative):
    def expect(x):
        wins, losses = count_outcomes(x)
        if wins + losses == 0:
            return 1.0
        return stats.binomtest(wins, wins + losses, alternative=alternative).pvalue

    assert_equal(ask(con, f"sign_test(p, alternative := '{alternative}')"), expect, 1e-10)


def rank_exactly(x):
    """Signed mid-ranks of the differences that are not ties."""
    x = np.round(x[np.abs(x) > 1e-9], 12)
    return np.sign(x) * stats.rankdata(np.abs(x))


def expect_wilcoxon(x, alternative):
    ranks = rank_exactly(x)
    if len(ranks) == 0:
        return 1.0
    if len(ranks) > 50:
        return stats.wilcoxon(ranks, method="approx", alternative=alternative).pvalue
    # how often each doubled sum of the positive ranks comes, in whole numbers
    counts = {0: 1}
    for weight in (2 * np.abs(ranks)).round().astype(int):
        added = {total + int(weight): count for total, count in counts.items()}
        counts = {t: counts.get(t, 0) + added.get(t, 0) for t in {*counts, *added}}
    seen = round(2 * ranks[ranks > 0].sum())
    whole = round(2 * np.abs(ranks).sum())
    passes = {
        "greater": lambda t: t >= seen,
        "less": lambda t: t <= seen,
        "two-sided": lambda t: abs(2 * t - whole) >= abs(2 * seen - whole),
    }[alternative]
    return sum(count for total, count in counts.items() if passes(total)) / 2 ** len(ranks)


@pytest.mark.few(1)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wilcoxon_is_exact_up_to_50_queries_and_then_that_of_scipy(con, alternative):
    got = ask(con, f"wilcoxon(p, alternative := '{alternative}')")
    assert_equal(got, lambda x: expect_wilcoxon(x, alternative), 1e-10)


@pytest.mark.thorough
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wilcoxon_without_ties_is_the_exact_test_of_scipy(con, alternative):
    got = ask(con, f"wilcoxon(p, alternative := '{alternative}')")
    compared = 0
    for name, (new, old) in SAMPLES.items():
        ranks = rank_exactly(new - old)
        if 0 < len(ranks) <= 50 and len({*np.abs(ranks)}) == len(ranks):
            compared += 1
            assert got[name] == pytest.approx(
                stats.wilcoxon(ranks, method="exact", alternative=alternative).pvalue, rel=1e-12
            )
    assert compared > 50


def test_simple_statistics_are_those_of_numpy(con):
    got = con.execute(
        """
        SELECT p.metric, wins(p), ties(p), losses(p), mean_difference(p), standard_error(p), cohen_dz(p),
            hedges_gz(p), rank_biserial(p), net_wins(p), top_share(p, share := 0.25),
            preference(p)
        FROM pairs AS p GROUP BY p.metric, p.run_id, p.baseline
        """
    ).fetchall()
    for name, *values in got:
        x = np.subtract(*SAMPLES[name])
        n, (wins, losses), ranks = len(x), count_outcomes(x), rank_exactly(x)
        spread = has_spread(x)
        effect = x.mean() / x.std(ddof=1) if spread else None
        best = np.sort(x)[::-1][: math.ceil(0.25 * n)].sum()
        expected = [
            wins,
            n - wins - losses,
            losses,
            x.mean(),
            stats.sem(x),
            effect,
            effect if effect is None else effect * (1 - 3 / (4 * n - 5)),
            ranks.sum() / np.abs(ranks).sum() if len(ranks) else None,
            (wins - losses) / n,
            best / x.sum() if abs(x.sum()) > 1e-12 * np.abs(x).sum() else None,
            (wins + (n - wins - losses) / 2) / n - 0.5,
        ]
        for value, wanted in zip(values, expected, strict=True):
            assert value == (
                wanted if wanted is None else pytest.approx(wanted, rel=1e-9, abs=1e-12)
            )


@pytest.mark.thorough
def test_randomization_of_few_queries_takes_all_permutations(con):
    few = {name: new - old for name, (new, old) in SAMPLES.items() if len(new) <= 12}
    con.execute("CREATE TABLE few AS FROM pairs WHERE metric IN ?", [[*few]])
    con.execute("CREATE OR REPLACE TABLE flips AS FROM flipped(few, permutations := 1)")
    assert len(few) > 100
    for alternative in ("two-sided", "greater", "less"):
        got = ask(con, f"randomization(p, alternative := '{alternative}')", "flips")
        for name, x in few.items():
            signs = np.array([*itertools.product([1, -1], repeat=len(x))])
            sums = signs @ x
            seen, close = x.sum(), 1e-12 * np.abs(x).sum()
            passes = {
                "two-sided": np.abs(sums) >= abs(seen) - close,
                "greater": sums >= seen - close,
                "less": sums <= seen + close,
            }[alternative]
            assert got[name] == pytest.approx(passes.mean(), abs=1e-15), name


@pytest.mark.thorough
def test_randomization_of_many_queries_is_that_of_scipy_but_for_chance():
    samples = {name: pair for name, pair in SAMPLES.items() if 20 < len(pair[0]) < 300}
    con = connect(samples)
    con.execute("CREATE TABLE flips AS FROM flipped(pairs, permutations := 5000)")
    got = ask(con, "randomization(p)", "flips")
    for number, (name, (new, old)) in enumerate(samples.items()):
        if number % 6:
            continue
        expected = stats.permutation_test(
            (new - old,),
            np.mean,
            permutation_type="samples",
            n_resamples=5000,
            random_state=number,
        ).pvalue
        error = math.sqrt(expected * (1 - expected) / 5000 * 2) + 1 / 5000
        assert got[name] == pytest.approx(expected, abs=5 * error), name


@pytest.mark.thorough
def test_randomization_is_the_same_whatever_the_threads_and_the_order():
    random = np.random.default_rng(3)
    samples = {name: draw_sample(random, 40) for name in "abc"}
    found = set()
    for threads in (1, 2, 4):
        own = duckdb.connect(config={"threads": threads})
        install_copy(own)
        keep(own, scores=make_scores(samples))
        own.execute("CREATE TABLE pairs AS FROM paired(scores, baseline := 'old')")
        for seed in range(3):
            own.execute(f"SELECT setseed({seed / 10})")
            own.execute("CREATE OR REPLACE TABLE shuffled AS FROM pairs ORDER BY random()")
            own.execute(
                "CREATE OR REPLACE TABLE flips AS FROM flipped(shuffled, permutations := 500)"
            )
            found.add(tuple(sorted(ask(own, "randomization(p)", "flips").items())))
    assert len(found) == 1


def test_another_seed_draws_other_permutations(con):
    samples = {"a": SAMPLES[max(SAMPLES)]}
    own = connect({"a": (samples["a"][0][:100], samples["a"][1][:100])})
    found = {
        ask(
            own, "sum(p.flipped_difference)", f"flipped(pairs, permutations := 100, seed := {seed})"
        )["a"]
        for seed in (0, 1, 2)
    }
    assert len(found) == 3


def test_signs_of_permutations_are_fair():
    random = np.random.default_rng(5)
    con = connect({"a": (np.ones(64) + random.random(64), np.zeros(64))})
    ((mean, spread),) = con.execute(
        "SELECT avg(flipped_difference), stddev_samp(flipped_difference) "
        "FROM flipped(pairs, permutations := 20000) WHERE permutation > 0"
    ).fetchall()
    ((size,),) = con.execute("SELECT sqrt(sum(difference ** 2)) / 64 FROM pairs").fetchall()
    assert abs(mean) < 5 * size / math.sqrt(20000)
    assert spread == pytest.approx(size, rel=0.03)


@pytest.mark.thorough
def test_bootstrap_intervals_are_those_of_scipy_but_for_chance():
    random = np.random.default_rng(8)
    samples = {f"n{n}": (random.exponential(1, n), np.zeros(n)) for n in (15, 40, 120)}
    con = connect(samples)
    con.execute("CREATE TABLE resampled_rows AS FROM resampled(pairs, samples := 9999)")
    for method, macro in (("percentile", "bootstrap_interval"), ("BCa", "bca_interval")):
        got = ask(con, f"{macro}(p)", "resampled_rows")
        for name, (x, _) in samples.items():
            expected = stats.bootstrap(
                (x,), np.mean, method=method, n_resamples=9999, random_state=1
            )
            close = 0.15 * expected.standard_error
            assert got[name] == pytest.approx([*expected.confidence_interval], abs=close), (
                method,
                name,
            )


def test_bca_intervals_follow_the_formula():
    """On the same samples, computed with scipy's normal distribution."""
    random = np.random.default_rng(9)
    x = random.exponential(1, 25)
    con = connect({"a": (x, np.zeros(25))})
    rows = con.execute(
        "SELECT resampled_difference FROM resampled(pairs, samples := 999)"
    ).fetchall()
    means = np.array(rows)[:, 0]
    got = ask(con, "bca_interval(p, confidence := 0.9)", "resampled(pairs, samples := 999)")["a"]
    jackknife = (x.sum() - x) / 24
    spread = jackknife.mean() - jackknife
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    bias = stats.norm.ppf((means < x.mean()).mean())
    for value, tail in zip(got, (0.05, 0.95), strict=True):
        z = bias + stats.norm.ppf(tail)
        share = stats.norm.cdf(bias + z / (1 - acceleration * z))
        assert value == pytest.approx(np.quantile(means, share), rel=1e-9)


def find_mean_interval(x, confidence=0.95):
    """Wilson's interval, solved as the quadratic equation in the true mean that it is."""
    n, mean = len(x), x.mean()
    most = mean * (1 - mean)
    effect = ((n - 1) * x.var() / most + 1) / n if most else 1.0
    k = stats.t.ppf((1 + confidence) / 2, n - 1) ** 2 * effect / (n - 1)
    roots = np.roots([1 + k, -2 * mean - k, mean**2])  # (mean - μ)² = k μ (1 - μ)
    return sorted(np.real(roots))


def test_intervals_of_means_are_wilsons_within_the_limits():
    random = np.random.default_rng(12)
    samples = {"zeros": np.zeros(5), "ones": np.ones(5), "same": np.full(6, 0.5)}
    for n in (2, 3, 10, 50):
        samples |= {
            f"0/1 {n}": random.integers(0, 2, n) * 1.0,
            f"skewed {n}": random.beta(0.3, 2, n),
        }
    con = connect({name: (x, np.zeros(len(x))) for name, x in samples.items()})
    got, wide = ask(con, "mean_interval(p)"), ask(con, "mean_interval(p, -1, 3, confidence := 0.9)")
    for name, x in samples.items():
        assert got[name] == pytest.approx(find_mean_interval(x), abs=1e-9), name
        assert 0 <= got[name][0] <= x.mean() <= got[name][1] <= 1
        other = np.array(find_mean_interval((x + 1) / 4, 0.9)) * 4 - 1
        assert wide[name] == pytest.approx(other, abs=1e-9), name
    many = random.integers(0, 2, 4000) * 1.0
    found = ask(connect({"many": (many, np.zeros(4000))}), "mean_interval(p)")["many"]
    wilson = proportion_confint(many.sum(), 4000, method="wilson")
    assert found == pytest.approx([*wilson], rel=1e-4)


@pytest.mark.thorough
def test_the_margin_of_tukey_is_where_its_p_becomes_significant():
    con = open_shell()
    for number in (18, 19, 39, 400):
        con.execute(
            "CREATE OR REPLACE TABLE ranges AS "
            f"SELECT 'm' AS metric, NULL AS segment, i AS permutation, i / 1000 AS mean_range, 0 AS tolerance FROM range({number}) t(i)"
        )
        ((margin,),) = con.execute("SELECT tukey_margin(p) FROM ranges AS p").fetchall()
        significant = []
        for difference in range(-1, number):
            larger = difference / 1000 + 1e-6
            ((p,),) = con.execute(
                "SELECT tukey(p, difference := $1) FROM ranges AS p", [larger]
            ).fetchall()
            significant.append(p < 0.05)
            assert significant[-1] is (margin is not None and larger > margin)
        assert any(significant) is (number > 19)


def make_outcomes(counts):
    """Rows of paired with these wins, ties and losses, each as a metric."""
    rows = [
        (f"{wins} {ties} {losses}", outcome)
        for wins, ties, losses in counts
        for outcome in [1] * wins + [0] * ties + [-1] * losses
    ]
    con = open_shell(outcomes=pl.DataFrame(rows, ["metric", "outcome"], orient="row"))
    con.execute(
        "CREATE TABLE pairs AS SELECT *, NULL AS segment, 'b' AS run_id, 'a' AS baseline, "
        "row_number() OVER () AS query_id FROM outcomes"
    )
    return con


def list_outcomes(n):
    return [(w, n - w - losses, losses) for w in range(n + 1) for losses in range(n + 1 - w)]


@pytest.mark.thorough
def test_the_interval_of_a_preference_is_made_of_those_of_clopper_and_pearson():
    counts = [*list_outcomes(1), *list_outcomes(7), (60, 0, 40), (1, 500, 0), (2000, 9000, 3000)]
    for confidence in (0.5, 0.95, 1 - 1e-6):
        con = make_outcomes(counts)
        got = ask(con, f"preference_interval(p, confidence := {confidence})")
        for wins, ties, losses in counts:
            decided = wins + losses
            of_all = stats.binomtest(decided, decided + ties).proportion_ci(confidence)
            of_wins = (
                stats.binomtest(wins, decided).proportion_ci(confidence) if decided else (0, 1)
            )
            products = [
                [share * (end - 0.5) for share in of_all] for end in (of_wins[0], of_wins[1])
            ]
            expected = [min(products[0]), max(products[1])]
            assert got[f"{wins} {ties} {losses}"] == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.thorough
def test_the_interval_of_a_preference_excludes_0_where_the_sign_test_is_significant():
    counts = [outcome for n in (1, 3, 6, 11, 14) for outcome in list_outcomes(n)]
    con = make_outcomes(counts)
    got = ask(con, "{'ends': preference_interval(p), 'p': sign_test(p)}")
    assert {each["p"] < 0.05 for each in got.values()} == {True, False}
    for name, each in got.items():
        low, high = each["ends"]
        assert -0.5 <= low < high <= 0.5, name
        assert (low > 0 or high < 0) == (each["p"] < 0.05), name


@pytest.mark.few(1)
@pytest.mark.parametrize("n", [3, 5, 10])
def test_intervals_of_preferences_contain_the_true_one_95_times_of_100_or_more(n):
    """Not in a simulation: each outcome counts as often as it is drawn."""
    counts = list_outcomes(n)
    ends = ask(make_outcomes(counts), "preference_interval(p)")
    for tie, win in itertools.product((0, 0.3, 0.9), (0.5, 0.7, 0.95, 1)):
        shares = [(1 - tie) * win, tie, (1 - tie) * (1 - win)]
        truth = (shares[0] - shares[2]) / 2
        chances = [stats.multinomial.pmf(each, n, shares) for each in counts]
        intervals = [ends[" ".join(map(str, each))] for each in counts]
        contained = sum(
            chance
            for chance, (low, high) in zip(chances, intervals, strict=True)
            if low - 1e-12 <= truth <= high + 1e-12
        )
        assert contained >= 0.95, (tie, win)


def test_corrections_are_those_of_statsmodels():
    random = np.random.default_rng(4)
    con = open_shell()
    families = {
        f"{n}-{number}": random.choice([random.random(n) ** 4, random.integers(0, 5, n) / 50])
        for n in (1, 2, 5, 40)
        for number in range(3)
    }
    rows = [(name, place, x) for name, p in families.items() for place, x in enumerate(p)]
    con.register("tests", Stream(pl.DataFrame(rows, ["family", "id", "p"], orient="row")))
    found = pl.DataFrame(Stream(con.sql("FROM corrected(tests) ORDER BY id")))
    methods = {"bonferroni": "bonferroni", "holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}
    for name, p in families.items():
        got = found.filter(family=name)
        for column, method in methods.items():
            expected = multipletests(p, method=method)[1]
            assert got[column].to_list() == pytest.approx([*expected], abs=1e-14), method


def test_permuted_shuffles_the_scores_of_a_query_by_md5():
    """Whichever queries and runs a metric has, and whatever the others have."""
    con = open_shell()
    scores = {
        (metric, f"q{q}", f"r{r}"): (7 * q + 5 * r * r + len(metric)) % 11 / 10
        for metric, queries, runs in (("AP", 5, 3), ("nDCG", 5, 3), ("RR", 4, 2))
        for q in range(queries)
        for r in range(runs)
    }
    rows = [(*key, score) for key, score in scores.items()]
    frame = pl.DataFrame(rows, ["metric", "query_id", "run_id", "score"], orient="row")
    con.register("given", Stream(frame.sample(fraction=1, shuffle=True, seed=1)))
    con.execute("CREATE TABLE scores AS FROM given")
    found = con.execute(
        "SELECT metric, permutation, mean_range FROM permuted(scores, permutations := 20, seed := 4)"
    ).fetchall()
    expected = {}
    for metric, permutation in itertools.product(["AP", "nDCG", "RR"], range(20)):
        shuffled = {}
        for (name, query, run), score in scores.items():
            if name == metric:
                text = f"4:{query}:{run}:{permutation}"
                digest = hashlib.md5(text.encode()).digest()
                lot = int.from_bytes(digest[8:], "little")
                shuffled.setdefault(query, []).append((lot, score))
        columns = zip(*([x for _, x in sorted(lots)] for lots in shuffled.values()), strict=True)
        means = [math.fsum(column) / len(column) for column in columns]
        expected[metric, permutation] = max(means) - min(means)
    assert {(metric, n): x for metric, n, x in found} == pytest.approx(expected, abs=1e-14)


@pytest.mark.few(1)
@pytest.mark.parametrize("relation", ["permuted", "flipped", "resampled", "resampled_queries"])
def test_draws_in_portions_are_those_drawn_at_once(relation):
    con = open_shell()
    con.execute(
        "CREATE TABLE scores AS SELECT 'r' || r AS run_id, 'q' || q AS query_id, "
        "sin(7 * q + r * r) AS score FROM range(3) AS _r (r), range(24) AS _q (q)"
    )
    con.execute("CREATE TABLE pairs AS FROM paired(scores, baseline := 'r0')")
    con.execute(
        "CREATE TABLE judged AS SELECT query_id, run_id AS doc_id, score > 0 AS relevance "
        "FROM scores; CREATE TABLE agreements AS FROM agreed(judged, judged)"
    )
    table = {"permuted": "scores", "resampled_queries": "agreements"}.get(relation, "pairs")
    option = "permutations" if relation in ("permuted", "flipped") else "samples"

    def draw(number, first):
        given = f"{option} := {number}, seed := 3, first := {first}"
        return con.execute(f"FROM {relation}({table}, {given})").fetchall()

    # permutation 0 of flipped is the scores as they are, which is not drawn
    start = relation == "flipped"
    portions = draw(70, 0) + draw(1, 70 + start) + draw(129, 71 + start)
    assert sorted(portions, key=str) == sorted(draw(200, 0), key=str)


def test_a_test_without_a_p_value_stays_without_one(small):
    tests = "WITH t AS (SELECT unnest([0.01, NULL, 0.04, 0, 1]) AS p) FROM corrected(t)"
    found = {row[0]: row[2] for row in small.execute(tests).fetchall()}
    assert found == {0.01: 0.04, None: None, 0.04: 0.16, 0: 0, 1: 1}


@pytest.mark.thorough
def test_randomized_tukey_is_that_of_numpy_but_for_chance():
    random = np.random.default_rng(6)
    scores = random.random((5, 30)) + np.array([[0], [0.02], [0.05], [0.1], [0.2]])
    con = open_shell()
    frame = pl.DataFrame(
        [(f"r{r}", f"q{q}", scores[r, q]) for r in range(5) for q in range(30)],
        ["run_id", "query_id", "score"],
        orient="row",
    )
    con.register("_given", Stream(frame))
    con.execute("CREATE TABLE scores AS FROM _given")
    con.execute("CREATE TABLE ranges AS FROM permuted(scores, permutations := 4000)")
    shuffled = np.stack([random.permuted(scores, axis=0).mean(axis=1) for _ in range(4000)])
    ranges = np.ptp(shuffled, axis=1)
    for difference in (0.05, 0.1, 0.15, 0.2):
        ((got,),) = con.execute(
            f"SELECT tukey(p, difference := {difference}) FROM ranges AS p"
        ).fetchall()
        expected = (1 + (ranges >= difference).sum()) / 4001
        error = math.sqrt(expected * (1 - expected) / 4000 * 2) + 1 / 4000
        assert got == pytest.approx(expected, abs=5 * error)


@pytest.mark.thorough
def test_detectable_differences_and_queries_needed_are_close_to_statsmodels(con):
    detectable = ask(con, "detectable_difference(p)")
    needed = ask(con, "queries_needed(p, difference := 0.05)")
    far = ask(con, "queries_needed(p, difference := 1e-12)")  # more than can be counted
    assert {*far.values()} == {None}
    for name, (new, old) in SAMPLES.items():
        x = new - old
        if not has_spread(x):
            assert detectable[name] is None
            continue
        spread = x.std(ddof=1)
        if len(x) >= 10:
            exact = TTestPower().solve_power(nobs=len(x), alpha=0.05, power=0.8) * spread
            assert exact * 0.998 <= detectable[name] <= exact * 1.002
        if 0.05 / spread < 0.9:
            exact = TTestPower().solve_power(0.05 / spread, alpha=0.05, power=0.8)
            assert abs(needed[name] - math.ceil(exact)) <= 1


@pytest.mark.parametrize(
    "call",
    [
        "queries_needed(p, difference := 0.05, power := 0.03)",
        "detectable_difference(p, power := 0.05)",
    ],
)
def test_a_test_finds_a_difference_more_often_than_alpha(con, call):
    with pytest.raises(
        duckdb.Error, match=r"power must be above alpha, not 0\.0[35] with alpha 0\.05"
    ):
        ask(con, call)


def test_darwins_maize_has_its_published_values():
    con = connect({"maize": ([x / 8 for x in MAIZE], [0] * 15)})
    got = {
        test: ask(con, f"{test}(p)")["maize"] for test in ("paired_t", "wilcoxon", "sign_test")
    } | {"randomization": ask(con, "randomization(p)", "flipped(pairs)")["maize"]}
    # Fisher 1935: t = 2.148, and 863 of 32768 permutations on each side
    assert got["randomization"] == 1726 / 32768
    assert got["paired_t"] == pytest.approx(0.0497029440, abs=5e-11)
    assert got["wilcoxon"] == 0.041259765625
    assert got["sign_test"] == pytest.approx(0.00738525390625, abs=1e-15)


# Orders of items


def order(con, a, b):
    rows = pl.DataFrame({"item": [f"i{n}" for n in range(len(a))], "a": a, "b": b}, strict=False)
    keep(con, scorings=rows.with_columns(pl.col("a", "b").cast(pl.Float64)))
    ((*found,),) = con.execute(
        "SELECT kendall_tau(o), spearman(o), tau_ap(o), rbo(o, p := 0.8) FROM ordered(scorings) AS o"
    ).fetchall()
    return found


def list_orders(scores):
    """All orders of the items by score, best first, with tied ones in every order."""
    groups = [
        [i for i, s in enumerate(scores) if s == score] for score in sorted({*scores}, reverse=True)
    ]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [item for part in parts for item in part]


def tau_ap(reference, judged):
    place = {item: n for n, item in enumerate(reference)}
    total = sum(
        sum(place[above] < place[item] for above in judged[:n]) / n
        for n, item in enumerate(judged)
        if n > 0
    )
    return 2 * total / (len(judged) - 1) - 1


def rbo(first, second, p):
    n = len(first)
    shared = [len({*first[:d]} & {*second[:d]}) for d in range(1, n + 1)]
    return (1 - p) / p * sum(p**d * x / d for d, x in enumerate(shared, 1)) + p**n


@pytest.mark.thorough
def test_orders_are_those_of_scipy_and_of_all_orders_of_ties():
    random = np.random.default_rng(7)
    con = open_shell()
    for number in range(60):
        n = int(random.integers(2, 6))
        a, b = random.integers(0, 4, n).tolist(), random.integers(0, 4, n).tolist()
        if number % 3 == 0:
            a, b = random.permutation(n).tolist(), random.permutation(n).tolist()
        tau, rho, ap, overlap = order(con, a, b)
        if len({*a}) > 1 and len({*b}) > 1:
            assert tau == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-12)
            assert rho == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-12)
        else:
            assert tau is None
            assert rho is None
        cases = [*itertools.product(list_orders(a), list_orders(b))]
        assert ap == pytest.approx(np.mean([tau_ap(x, y) for x, y in cases]), abs=1e-12)
        assert overlap == pytest.approx(np.mean([rbo(x, y, 0.8) for x, y in cases]), abs=1e-12)


def test_orders_of_runs_by_two_metrics_or_two_sets_of_judgments():
    random = np.random.default_rng(11)
    runs = [f"r{n}" for n in range(6)]
    means = {name: random.permutation(6) / 10 for name in ("AP", "RR")}
    frame = pl.DataFrame({"run_id": runs, "query_id": "q", **means})
    ((metric, other, number, tau, ap, rho, overlap),) = sm.order_agreement(frame, p=0.8).rows()
    assert (metric, other, number) == ("AP", "RR", 6)
    assert tau == pytest.approx(stats.kendalltau(*means.values()).statistic)
    assert rho == pytest.approx(stats.spearmanr(*means.values()).statistic)
    first, second = (np.argsort(-x).tolist() for x in means.values())
    assert ap == pytest.approx(tau_ap(first, second))
    assert overlap == pytest.approx(rbo(first, second, 0.8))
    turned = frame.with_columns(AP=-pl.col("AP"))
    rows = sm.order_agreement(frame, turned).select("metric", "kendall_tau").rows()
    assert rows == [("AP", pytest.approx(-1)), ("RR", pytest.approx(1))]


def test_an_optional_table_of_an_analysis_may_be_empty_in_the_shell(con):
    con.execute(
        "CREATE OR REPLACE TABLE ours AS FROM (VALUES ('a', 'AP', 'q', 1), ('b', 'AP', 'q', 2),"
        "('a', 'RR', 'q', 1), ('b', 'RR', 'q', 3)) AS t (run_id, metric, query_id, score)"
    )
    con.execute("CREATE OR REPLACE VIEW none AS FROM ours WHERE FALSE")
    asked = "SELECT metric, other_metric, runs, kendall_tau FROM order_agreement(ours, {})"
    assert con.execute(asked.format("none")).fetchall() == [("AP", "RR", 2, 1.0)]
    same = [("AP", "AP", 2, 1.0), ("RR", "RR", 2, 1.0)]
    assert con.execute(asked.format("ours")).fetchall() == same


# Scales

SCALES = [1e-300, 1e-200, 1e-13, 1e-6, 1e6, 1e12, 1e200, 1e299]
# By statistic: how it is asked, and whether it grows with the scores; lists are taken apart.
SCALED = {
    "mean_difference": ("mean_difference(p)", "pairs", True),
    "standard_error": ("standard_error(p)", "pairs", True),
    "margin_of_error": ("margin_of_error(p)", "pairs", True),
    "detectable_difference": ("detectable_difference(p)", "pairs", True),
    "wins": ("wins(p)", "pairs", False),
    "ties": ("ties(p)", "pairs", False),
    "losses": ("losses(p)", "pairs", False),
    "net_wins": ("net_wins(p)", "pairs", False),
    "preference": ("preference(p)", "pairs", False),
    "cohen_dz": ("cohen_dz(p)", "pairs", False),
    "hedges_gz": ("hedges_gz(p)", "pairs", False),
    "rank_biserial": ("rank_biserial(p)", "pairs", False),
    "top_share": ("top_share(p, share := 0.3)", "pairs", False),
    "queries_needed": ("queries_needed(p, difference := {tenth})", "pairs", False),
    "paired_t": ("paired_t(p, margin := {tenth})", "pairs", False),
    "non_inferior_t": ("non_inferior_t(p, margin := {tenth})", "pairs", False),
    "equivalent_t": ("equivalent_t(p, margin := {tenth})", "pairs", False),
    "sign_test": ("sign_test(p)", "pairs", False),
    "wilcoxon": ("wilcoxon(p)", "pairs", False),
    "randomization": ("randomization(p)", "flipped(pairs, permutations := 200)", False),
    "tukey": ("tukey(p, difference := {tenth})", "permuted(scores, permutations := 200)", False),
    "bootstrap_interval": (
        "bootstrap_interval(p)[1]",
        "resampled(pairs, samples := 200)",
        True,
    ),
    "bca_interval": ("bca_interval(p)[2]", "resampled(pairs, samples := 200)", True),
    "mean_interval": ("mean_interval(p, -100 * {tenth}, 100 * {tenth})[2]", "pairs", True),
    "preference_interval": ("preference_interval(p)[2]", "pairs", False),
    "tukey_margin": ("tukey_margin(p)", "permuted(scores, permutations := 200)", True),
}


@pytest.fixture(scope="module")
def scaled():
    """The same scores at every scale, each a metric; within is 0."""
    random = np.random.default_rng(5)
    samples = {}
    for kind in range(4):
        baseline = random.integers(0, 11, 14) / 10
        new = baseline + [0.1, 0.2, -0.1, 0.3, 0, 0.4, -0.2][:7] * 2
        if kind == 1:
            new, baseline = random.normal(size=14), random.normal(size=14)
        if kind == 2:
            new, baseline = np.array([4.0, 3, 2, -1]), np.zeros(4)
        if kind == 3:
            new = baseline + 1e-6
        for scale in (1.0, *SCALES):
            samples[f"{kind} {scale!r}"] = new * scale, baseline * scale
    con = connect(samples)
    con.execute(
        "CREATE OR REPLACE TABLE pairs AS FROM paired(scores, baseline := 'old', within := 0)"
    )
    return con


def test_every_statistic_of_pairs_is_tried_at_every_scale():
    relations = {"paired", "flipped", "permuted", "resampled"}
    files = catalogue.files()["comparisons"].values()
    wanted = {file.path.stem for file in files if file.header.get("relation") in relations}
    assert wanted == {*SCALED}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SCALED)
def test_a_statistic_is_the_same_at_every_scale_of_the_scores(scaled, name):
    how, rows, grows = SCALED[name]
    group = "p.metric" if name.startswith("tukey") else "p.metric, p.run_id, p.baseline"
    found = {}
    for scale in (1.0, *SCALES):
        asked = how.format(tenth=repr(0.1 * scale))
        own = rows if rows != "pairs" else f"(FROM pairs WHERE metric LIKE '% {scale!r}')"
        values = ask(scaled, asked, own, group)
        for kind in range(4):
            value = values[f"{kind} {scale!r}"]
            found[kind, scale] = value / scale if grows and value is not None else value
    for kind in range(4):
        expected = found[kind, 1.0]
        for scale in SCALES:
            close = expected if expected is None else pytest.approx(expected, rel=1e-9)
            assert found[kind, scale] == close, (kind, scale)


def test_wilcoxon_of_four_three_two_and_minus_one_is_a_quarter_at_every_scale(scaled):
    for name, values in ask(scaled, "[wilcoxon(p), rank_biserial(p)]").items():
        if name.startswith("2 "):
            assert values == [0.25, pytest.approx(0.8)], name


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1.0, 1e299])
def test_differences_equal_but_for_the_rounding_of_the_scores_are_equal(scale):
    new, old = np.array([0.3, 0.2, 0.7, 0.5]) * scale, np.array([0.2, 0.1, 0.8, 0.3]) * scale
    constant = np.random.default_rng(3).random(50)
    con = connect({"ties": (new, old), "same": ((constant + 1e-6) * scale, constant * scale)})
    con.execute("CREATE OR REPLACE TABLE pairs AS FROM paired(scores, 'old', within := 0)")
    # the sizes .1, .1, .1 and .2 have the ranks 2, 2, 2 and 4
    assert ask(con, "rank_biserial(p)")["ties"] == pytest.approx(0.6)
    assert ask(con, "[paired_t(p), cohen_dz(p)]")["same"] == [None, None]
    assert ask(con, f"paired_t(p, margin := {1e-6 * scale!r})")["same"] == 1


def test_the_top_share_is_of_so_many_queries_as_the_share_is_in_decimals():
    con = connect({"x": (np.arange(1.0, 101.0), np.zeros(100))})
    for share, top in ((0.07, 679), (0.14, 1309), (0.071, 772), (1e-12, 100)):  # 100 + 99 + …
        assert ask(con, f"top_share(p, share := {share})")["x"] == pytest.approx(top / 5050)


def test_scores_that_are_equal_but_for_rounding_have_no_gain_to_share():
    baseline = np.array([0.3, 0.7, 0.1])
    con = connect({"x": (baseline + np.array([1e-16, 2e-16, 0]), baseline)})
    assert ask(con, "top_share(p)") == {"x": None}


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1e12, 1e299])
def test_orders_of_runs_are_the_same_at_every_scale(scale):
    means = {"AP": [0.5, 0.1 + 0.2, 0.3, 0.1], "RR": [0.1, 0.4, 0.2, 0.3]}
    frame = pl.DataFrame({"run_id": ["a", "b", "c", "d"], "query_id": "q", **means})
    expected = sm.order_agreement(frame)
    assert expected["kendall_tau"].item() == pytest.approx(
        stats.kendalltau([0.5, 0.3, 0.3, 0.1], means["RR"]).statistic
    )
    other = frame.with_columns(pl.col("AP", "RR") * scale)
    assert sm.order_agreement(other).equals(expected)


# What is refused


@pytest.fixture(scope="module")
def small():
    con = open_shell()
    con.execute(
        "CREATE TABLE scores AS SELECT * FROM (VALUES ('a', 'AP', 'q1', 0.1), ('a', 'AP', 'q2', 0.2), "
        "('b', 'AP', 'q1', 0.3), ('b', 'AP', 'q2', 0.1), ('c', 'AP', 'q1', 0.3), ('c', 'AP', 'q2', 0.9)) "
        "AS t(run_id, metric, query_id, score)"
    )
    return con


def test_a_group_may_be_a_segment(small):
    rows = small.execute(
        "SELECT p.query_id = 'q1' AS is_first, wins(p), paired_t(p), wilcoxon(p) "
        "FROM paired(scores, 'a') AS p WHERE p.run_id = 'c' GROUP BY p.metric, p.run_id, p.baseline, is_first"
    ).fetchall()
    assert sorted(rows) == [(False, 1, None, 1.0), (True, 1, None, 1.0)]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "asked",
    [
        "p.run_id, wins(p), paired_t(p) FROM paired({}, 'a') AS p",
        "p.run_id, randomization(p) FROM flipped(pairs_of_{}) AS p",
        "p.run_id, bootstrap_interval(p) FROM resampled(pairs_of_{}, samples := 50) AS p",
        "p.metric, tukey(p, difference := 0.1) FROM permuted({}, permutations := 50) AS p",
    ],
)
def test_a_column_segment_divides_the_queries_whatever_its_type(asked):
    con = open_shell()
    con.execute(
        """
        CREATE TABLE divided AS
        SELECT
            run_id, 'AP' AS metric, q AS query_id, md5_number_lower(concat(run_id, q)) % 100 / 100 AS score,
            {'lang': CASE WHEN q % 3 < 2 THEN 'de' END, 'kind': CASE WHEN q % 3 = 1 THEN 'de' END} AS segment
        FROM (VALUES ('a'), ('b'), ('c')) AS r (run_id), range(30) AS t (q);
        CREATE TABLE pairs_of_divided AS FROM paired(divided, 'a')
        """
    )
    key = asked.partition(",")[0]
    query = f"SELECT p.segment, {asked.format('divided')} GROUP BY p.metric, p.segment, {key}"
    found = {str(row) for row in con.execute(query).fetchall()}
    expected = set()
    for number, (segment,) in enumerate(
        con.execute("SELECT DISTINCT segment FROM divided").fetchall()
    ):
        con.execute(
            f"CREATE TABLE part_{number} AS SELECT * EXCLUDE (segment) FROM divided WHERE segment = ?",
            [segment],
        )
        con.execute(f"CREATE TABLE pairs_of_part_{number} AS FROM paired(part_{number}, 'a')")
        query = f"SELECT {asked.format(f'part_{number}')} GROUP BY p.metric, {key}"
        expected |= {str((segment, *row)) for row in con.execute(query).fetchall()}
    assert number == 2
    assert found == expected


def test_scores_of_one_metric_need_no_metric_column(small):
    rows = small.execute(
        "WITH s AS (SELECT run_id, query_id, score FROM scores) "
        "SELECT p.metric, wins(p) FROM paired(s, 'a') AS p WHERE run_id = 'b' GROUP BY p.metric"
    ).fetchall()
    assert rows == [("score", 1)]


def test_every_comparison_has_a_test():
    tests = (
        ROOT / "tests" / f"test_{name}.py"
        for name in ("comparisons", "compare", "retrieval_tasks", "agreement", "changes")
    )
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    files = catalogue.files()["comparisons"].values()
    names = [
        file.path.stem for file in files if file.path.parent.name not in ("functions", "checks")
    ]
    assert [name for name in names if not re.search(rf'\b{name}(\(|")', text)] == []


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [3, 10, 11, 17])
def test_all_permutations_of_few_queries_are_taken_as_by_scipy(number):
    draw = random.Random(number)
    ours, theirs = ([round(draw.random(), 2) for _ in range(number)] for _ in range(2))
    scores = pl.DataFrame(
        {
            "run_id": ["old"] * number + ["new"] * number,
            "query_id": [str(query) for query in range(number)] * 2,
            "AP": [*theirs, *ours],
        }
    )
    expected = stats.permutation_test(
        (ours, theirs),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    found = sm.compare(scores, "old", test="randomization").tests
    assert found["p"].item() == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("more", ["segment", "lowest highest", "year", "metric year", "weight"])
@pytest.mark.parametrize("name", ["means", "mean_of_means", "compared"])
def test_a_table_of_scores_is_the_same_in_python_and_in_sql(name, more):
    rows = pl.DataFrame(
        {
            "run_id": ["a"] * 5 + ["b"] * 5,
            "query_id": ["n1", "n2", "n3", "s1", "s2"] * 2,
            "score": [0.2, 0.6, 0.4, 0.9, 0.7, 0.3, 0.6, 0.5, 0.9, 1.0],
        }
    )
    columns = {
        "segment": ["news", "news", "news", "shop", "shop"] * 2,
        "lowest": [0.0] * 10,
        "highest": [1.0] * 10,
        "year": [2020, 2021, 2022, 2023, 2024] * 2,
        "metric": ["AP"] * 10,
        "weight": [1.0, 2.0, 3.0, 1.0, 2.0] * 2,
    }
    table = rows.with_columns(**{each: pl.Series(columns[each]) for each in more.split()})
    expected = open_shell(scores=Stream(table)).sql(f"FROM {name}(scores)")
    found = getattr(sm, name)(table)
    listed = ", ".join(found.columns)
    assert found.rows() == [*map(tuple, expected.project(listed).fetchall())]
