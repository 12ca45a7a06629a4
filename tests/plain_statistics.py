"""Statistics as plain SQL, and what scipy makes of the same scores."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import stats

import sqlmetrics as sm

QUERY = """
SELECT
    p.metric, p.run_id,
    paired_t(p), paired_t(p, alternative := 'greater'), margin_of_error(p), margin_of_error(p, 0.999),
    sign_test(p), sign_test(p, 'greater'), sign_test(p, 'less'), detectable_difference(p)
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
    ]
