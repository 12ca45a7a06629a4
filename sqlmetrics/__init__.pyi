import typing

import duckdb
import polars as pl

import sqlmetrics.inputs.columns as _columns
import sqlmetrics.inputs.data as _data

from .catalogue.conventions import Conventions, presets
from .catalogue.listing import metrics
from .comparing.compare import compare
from .comparing.comparison import Comparison, Gate
from .comparing.gate import gate
from .custom_metrics import add, remove
from .doctor import check, explain
from .engine.judgments import Judgments
from .errors import InputError, MetricError, ScoreWarning, SqlMetricsError
from .fusing.fuse import fuse
from .fusing.tune import Tuning, tune
from .judging.bounds import Bounds, bounds
from .judging.documents import Documents, explain_query
from .judging.pool import pool_bias
from .macros.install import install, uninstall
from .plots import plot
from .query import query
from .report import Report, report
from .score import Scores, evaluate
from .script import sql

__version__: str

__all__ = [
    "Bounds",
    "Comparison",
    "Conventions",
    "Documents",
    "Gate",
    "InputError",
    "Judgments",
    "MetricError",
    "Report",
    "ScoreWarning",
    "Scores",
    "SqlMetricsError",
    "Tuning",
    "add",
    "agreement",
    "bounds",
    "changed_queries",
    "check",
    "collapse",
    "compare",
    "compared",
    "estimate",
    "evaluate",
    "examination",
    "experiment",
    "explain",
    "explain_query",
    "fuse",
    "gate",
    "inferred",
    "install",
    "interleaving",
    "judge",
    "mean_of_means",
    "means",
    "merged_ratings",
    "metrics",
    "nauc",
    "online_offline",
    "order_agreement",
    "p_mrr",
    "plot",
    "pool_bias",
    "precision_recall_curve",
    "precision_recall_table",
    "presets",
    "query",
    "rater_agreement",
    "remove",
    "replay",
    "report",
    "roc_curve",
    "run_differences",
    "sql",
    "to_judge",
    "tune",
    "turned_pairs",
    "uninstall",
    "users_needed",
]

# Analyses: written by `python docs/build.py` from the headers of sql/*/analyses.

def agreement(
    first: _data.Data,
    second: _data.Data,
    *,
    resample: typing.Literal["queries", "documents"] = "queries",
    rel: float = 1,
    alpha: float = 0.05,
    samples: int = 2000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
) -> pl.DataFrame: ...
def changed_queries(
    baseline: _data.Runs,
    run: _data.Runs,
    topics: object = None,
    *,
    k: int = 10,
    p: float = 0.9,
    queries: typing.Literal["changed", "all"] = "changed",
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def collapse(
    run: _data.Runs,
    mapping: object,
    *,
    method: typing.Literal["best", "sum"] = "best",
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def compared(
    scores: object,
    *,
    baseline: str | None = None,
    test: typing.Literal["t", "randomization", "wilcoxon", "sign", "tukey"] = "t",
    correction: typing.Literal["holm", "bonferroni", "bh", "by", "none"] = "holm",
    family: typing.Literal["metric", "all"] = "metric",
    alpha: float = 0.05,
    intervals: typing.Literal["t", "percentile", "bca"] = "t",
    within: float | None = None,
    permutations: int = 10000,
    samples: int = 2000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
    by: str | list[str] | None = None,
) -> pl.DataFrame: ...
def estimate(
    automatic: object,
    human: object,
    *,
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
) -> pl.DataFrame: ...
def examination(
    log: object,
    *,
    steps: int = 50,
    least_pages: int = 20,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
) -> pl.DataFrame: ...
def experiment(
    users: object,
    *,
    control: str | None = None,
    shares: object = None,
    cuped: bool | None = None,
    alternative: typing.Literal["two-sided", "greater", "less"] = "two-sided",
    correction: typing.Literal["holm", "bonferroni", "bh", "by", "none"] = "holm",
    alpha: float = 0.05,
    anytime: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
    by: str | list[str] | None = None,
) -> pl.DataFrame: ...
def inferred(
    qrels: _data.Data,
    run: _data.Runs,
    *,
    k: int = 10,
    depth: int = 1000,
    per_query: bool = False,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def interleaving(
    pages: object,
    *,
    method: typing.Literal["team", "balanced"] | None = None,
    unit: typing.Literal["page", "user"] = "page",
    alpha: float = 0.05,
    anytime: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
) -> pl.DataFrame: ...
def judge(
    log: object,
    *,
    model: typing.Literal["coec", "sdbn", "dcm", "pbm"] = "coec",
    smoothing: float = 1,
    steps: int = 50,
    least_pages: int = 20,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
) -> pl.DataFrame: ...
def mean_of_means(
    scores: object,
    *,
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
    by: str | list[str] | None = None,
) -> pl.DataFrame: ...
def means(
    scores: object,
    *,
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
    by: str | list[str] | None = None,
) -> pl.DataFrame: ...
def merged_ratings(
    ratings: object,
    *,
    how: typing.Literal["median", "majority", "mean", "minimum", "maximum"] = "median",
    judges: int = 1,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
) -> pl.DataFrame: ...
def nauc(
    scores: object,
    run: _data.Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
    metrics: str | list[str] | None = None,
) -> pl.DataFrame: ...
def online_offline(
    offline: object,
    online: object,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
) -> pl.DataFrame: ...
def order_agreement(
    scores_a: object,
    scores_b: object = None,
    *,
    p: float = 0.9,
    queries: typing.Literal["all", "common"] = "all",
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
) -> pl.DataFrame: ...
def p_mrr(
    changed: _data.Data,
    baseline: _data.Runs,
    run: _data.Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def precision_recall_curve(
    qrels: _data.Data,
    run: _data.Runs,
    *,
    interpolated: bool = False,
    averaged: bool = False,
    points: int = 11,
    rounding: float = 0.9,
    rel: float = 1,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def precision_recall_table(
    qrels: _data.Data,
    run: _data.Runs,
    *,
    k: int = 10,
    averaged: bool = False,
    rel: float = 1,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def rater_agreement(
    ratings: object,
    *,
    resample: typing.Literal["queries", "documents"] = "queries",
    alpha: float = 0.05,
    samples: int = 2000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
) -> pl.DataFrame: ...
def replay(
    log: object,
    run: _data.Runs,
    examination: object = None,
    *,
    k: int | None = None,
    clip: float = 100,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def roc_curve(
    qrels: _data.Data,
    run: _data.Runs,
    *,
    rel: float = 1,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def run_differences(
    baseline: _data.Runs,
    run: _data.Runs,
    topics: object = None,
    *,
    k: int = 10,
    p: float = 0.9,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def to_judge(
    qrels: _data.Data | None,
    run: _data.Runs,
    *,
    budget: int | None = None,
    strategy: typing.Literal["scores", "runs", "depth", "front"] = "scores",
    depth: int = 10,
    rel: float = 1,
    queries: typing.Literal["judged", "all"] = "judged",
    ties: typing.Literal["descending", "ascending", "input", "rank"] = "descending",
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    grades: object = None,
    run_names: _data.RunNames | None = None,
    exclude: _data.Data | None = None,
) -> pl.DataFrame: ...
def turned_pairs(
    scores_a: object,
    scores_b: object,
    *,
    queries: typing.Literal["all", "common"] = "all",
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
) -> pl.DataFrame: ...
def users_needed(
    users: object,
    *,
    difference: float | None = None,
    relative: float | None = None,
    share: float = 0.5,
    cuped: bool | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: _columns.Columns | None = None,
    engine: object = None,
    metrics: str | list[str] | None = None,
    by: str | list[str] | None = None,
) -> pl.DataFrame: ...
