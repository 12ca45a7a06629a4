"""Statistics as plain SQL, and what scipy makes of the same scores."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import sqlmetrics as sm
from sqlmetrics.inputs.columns import NAMES

QUERY = """
SELECT
    p.metric, p.run_id,
    paired_t(p), paired_t(p, alternative := 'greater'), margin_of_error(p), margin_of_error(p, 0.999),
    sign_test(p), sign_test(p, 'greater'), sign_test(p, 'less'), detectable_difference(p),
    rank_biserial(p), percentile_of(p.difference, 30)
FROM paired(scores, baseline := 'a') AS p
GROUP BY p.metric, p.run_id
"""
COLUMNS = {"run_id": "run_id", "metric": "metric"}


def draw_scores(sizes):
    """Scores of a baseline, a better and a worse run, by a metric for each number of queries."""
    random, rows = np.random.default_rng(7), []
    for size in sizes:
        base = random.random(size)
        for run, more in (("a", 0), ("b", 0.02), ("c", -0.1)):
            noise = (run != "a") * (more + 0.1 * random.normal(size=size))
            rows += [(run, f"m{size}", f"q{i}", x) for i, x in enumerate((base + noise).tolist())]
    schema = ["run_id", "metric", "query_id", "score"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def draw_rounded(size):
    """The same by one metric, with scores of few values."""
    return draw_scores([size]).with_columns(pl.col("score").round(1), metric=pl.lit("rounded"))


def ask_statistics(engine, scores):
    """What scipy and an engine say of each run and metric."""
    engine.load("scores", scores)
    rows = engine.ask(sm.sql(QUERY, dialect=engine.dialect, columns=COLUMNS))
    return [(expect(scores, metric, run), list(got)) for metric, run, *got in rows]


def expect(scores, metric, run):
    of_metric = scores.filter(pl.col("metric") == metric)
    x, y = (of_metric.filter(pl.col("run_id") == each)["score"].to_numpy() for each in (run, "a"))
    wins, size = int((x - y > 1e-9).sum()), len(x)
    tests = [stats.ttest_rel(x, y, alternative=way) for way in ("two-sided", "greater")]
    ends = [tests[0].confidence_interval(share) for share in (0.95, 0.999)]
    ways = ("two-sided", "greater", "less")
    return [
        *(test.pvalue for test in tests),
        *((high - low) / 2 for low, high in ends),
        *(stats.binomtest(wins, size, alternative=way).pvalue for way in ways),
        sum(stats.t.isf((0.025, 0.2), size - 1)) * stats.sem(x - y),
        rank_signs(x - y),
        np.percentile(x - y, 30),
    ]


def rank_signs(differences):
    """The rank-biserial correlation, with sizes that are equal up to rounding tied."""
    kept = np.round(differences[np.abs(differences) > 1e-9], 12)
    ranks = stats.rankdata(np.abs(kept)) * np.sign(kept)
    return ranks.sum() / np.abs(ranks).sum()


def ask_wilcoxon(engine):
    """What an engine and scipy say of each run and metric by Wilcoxon's test: exact to 50 queries."""
    scores = draw_scores(sizes=(9, 50, 51, 300))
    engine.load("scores", scores)
    call = "compared(scores, baseline := 'a', test := 'wilcoxon')"
    query = f"SELECT c.metric, c.run_id, c.p FROM {call} AS c"
    rows = engine.ask(sm.sql(query, dialect=engine.dialect, columns=COLUMNS))
    assert len(rows) == 8
    for metric, run, p in rows:
        of_metric = scores.filter(metric=metric)
        x, y = (of_metric.filter(run_id=each)["score"].to_numpy() for each in (run, "a"))
        method = "exact" if len(x) <= 50 else "approx"
        yield p, stats.wilcoxon(x, y, method=method).pvalue


def draw_users():
    """Users of two metrics and a ratio, with values before, in three variants."""
    random, rows = np.random.default_rng(3), []
    for user in range(240):
        variant = "ABC"[int(random.integers(3))]
        before = float(random.gamma(2))
        value = before / 2 + float(random.gamma(2)) + 0.3 * (variant == "C")
        for metric, more in (("clicks", 0.0), ("sales", -5.0)):
            weight = 1.0 + user % 3
            rows.append((f"u{user}", variant, metric, value + more, weight, before, 1.0))
    schema = [
        "user_id",
        "variant",
        "metric",
        "numerator",
        "denominator",
        "before",
        "before_denominator",
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def draw_pages():
    """Pages of two interleaved rankings, of 20 users."""
    random, rows = np.random.default_rng(5), []
    for page in range(90):
        for place in range(4):
            team = "ab"[(page + place) % 2]
            clicked = int(random.random() < (0.3 if team == "b" else 0.15))
            rows.append((f"p{page}", f"u{page % 20}", place + 1, team, clicked))
    schema = ["page_id", "user_id", "position", "team", "clicked"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def draw_two_metrics(seed):
    """Scores of five runs and 30 queries by two metrics."""
    random, rows = np.random.default_rng(seed), []
    for query in range(30):
        hard = random.random()
        for place, run in enumerate("abcde"):
            for metric in ("m", "n"):
                score = min(1.0, max(0.0, hard + 0.05 * place + 0.2 * random.normal()))
                rows.append((run, metric, f"q{query}", score))
    return pl.DataFrame(rows, schema=["run_id", "metric", "query_id", "score"], orient="row")


def draw_shown():
    """Pages of six documents in one of several orders, seen less the lower they are."""
    random, rows = np.random.default_rng(11), []
    for page in range(400):
        query, first = page % 8, int(random.integers(9))
        for place in range(6):
            document = (first + place * (1 + query % 2)) % 9
            chance = (0.1 + 0.1 * ((document + query) % 8)) / (1 + place) ** 0.7
            clicked = int(random.random() < chance)
            rows.append((f"p{page}", f"q{query}", f"d{document}", place + 1, clicked))
    columns = ["page_id", "query_id", "doc_id", "position", "clicked"]
    return pl.DataFrame(rows, columns, orient="row")


def draw_run():
    """Documents of five runs for 30 queries: of one query a single one, of another all the same."""
    random, rows = np.random.default_rng(9), []
    for query in range(30):
        for run in "abcde":
            for document in range(1 if query == 1 else 7):
                score = 0.1 if query == 2 else 20 + 3 * float(random.normal())
                rows.append((run, f"q{query}", f"d{document}", score))
    return pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")


def draw_ratings(judges):
    """Ratings of 84 documents by up to three judges, of whom the third rates every other one."""
    random, rows = np.random.default_rng(13), []
    for query in range(12):
        for document in range(7):
            grade = int(random.integers(4))
            for judge in judges[: 2 + document % 2]:
                rating = float(min(3, max(0, grade + int(random.integers(-1, 2)))))
                rows.append((f"q{query}", f"d{document}", judge, rating))
    return pl.DataFrame(rows, ["query_id", "doc_id", "judge", "relevance"], orient="row")


RATINGS = draw_ratings("abc")
JUDGED = {
    name: RATINGS.filter(pl.col("judge") == judge).drop("judge")
    for name, judge in (("first", "a"), ("second", "b"))
}
# Those with bootstrap samples, which need md5.
DRAWN = {
    "agreement": ("agreement(first, second, samples := 200, seed := 3)", JUDGED),
    "agreement of documents": (
        "agreement(first, second, resample := 'documents', samples := 100, rel := 2)",
        JUDGED,
    ),
    "agreement of equal grades": (
        "agreement(first, second, samples := 9)",
        {name: table.with_columns(relevance=1e-200) for name, table in JUDGED.items()},
    ),
    "agreement of small grades": (
        "agreement(first, second, samples := 9, rel := 2e-200)",
        {
            name: table.with_columns(relevance=pl.col("relevance") * 1e-200)
            for name, table in JUDGED.items()
        },
    ),
    "rater_agreement": ("rater_agreement(ratings, samples := 200)", {"ratings": RATINGS}),
    "rater_agreement of documents": (
        "rater_agreement(ratings, resample := 'documents', samples := 100, alpha := 1e-1)",
        {"ratings": draw_ratings("ab")},
    ),
}


# Analyses, as a SELECT, and the tables that each reads.
STATISTICAL = {
    "means": ("means(scores)", {"scores": draw_scores(sizes=(1, 2, 9, 30, 400))}),
    "experiment": ("experiment(users, control := 'A')", {"users": draw_users()}),
    "interleaving": ("interleaving(pages)", {"pages": draw_pages()}),
    "users_needed": ("users_needed(users, relative := 0.1)", {"users": draw_users()}),
    "online_offline": (
        "online_offline(offline, online)",
        {"offline": draw_two_metrics(1), "online": draw_two_metrics(2)},
    ),
    "order_agreement": (
        "order_agreement(scores_a, scores_b)",
        {"scores_a": draw_two_metrics(1), "scores_b": draw_two_metrics(2)},
    ),
    "nauc": ("nauc(scores, run)", {"scores": draw_two_metrics(3), "run": draw_run()}),
    "judge": ("judge(log, model := 'pbm', least_pages := 5)", {"log": draw_shown()}),
    "compared": ("compared(scores)", {"scores": draw_scores(sizes=(1, 2, 3, 30, 400))}),
    "wilcoxon": (
        "compared(scores, test := 'wilcoxon')",
        # exact up to 50 queries that differ; rounded, sizes are equal and runs have ties
        {"scores": pl.concat([draw_scores(sizes=(2, 9, 50, 51, 300)), draw_rounded(60)])},
    ),
}


def compare_analysis(engine, name):
    """The rows of an analysis with DuckDB's macros, to about 1e-9, and those of an engine."""
    call, tables = (STATISTICAL | DRAWN)[name]
    text = write_analysis(name, engine.dialect)
    for each, table in tables.items():
        engine.load(each, table)
    expected = sm.query(f"SELECT * FROM {call}", **tables)
    got = [dict(zip(expected.columns, row, strict=True)) for row in engine.ask(text)]
    rows = ([*map(_round, row.items())] for row in expected.to_dicts())
    return sorted(map(dict, rows), key=_order), sorted(got, key=_order)


def write_analysis(name, dialect):
    call, tables = (STATISTICAL | DRAWN)[name]
    listed = {column for table in tables.values() for column in table.columns}
    columns = {each: each for each in listed if each in {*NAMES, "metric", "segment"}}
    return sm.sql(f"SELECT * FROM {call}", dialect=dialect, columns=columns)


def _round(item):
    name, value = item
    return name, pytest.approx(value, rel=1e-9, abs=1e-14) if isinstance(value, float) else value


def _order(row):
    """The key of a row: its texts and whole numbers."""
    return [str(value) for value in row.values() if isinstance(value, str | int)]
