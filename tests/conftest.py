"""What tests share: the repository, and small judgments and runs as frames."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import duckdb
import polars as pl
import pytest

from sqlmetrics import catalogue
from sqlmetrics.engines import macros

ROOT = Path(__file__).parent.parent
(QUICK_TOTAL,) = (f for f in catalogue.find_variants("evaluate") if f.path.stem == "total")


def make_qrels(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")


def make_run(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")


def create_macros(con: duckdb.DuckDBPyConnection, strategy: str = "sorting") -> None:
    """Create the macros as their files have them, which run as they are.

    Sums are the quick ones of `evaluate`.
    """
    for file in [*macros.needed_files(strategy=strategy), QUICK_TOTAL]:
        con.execute(file.text)


def name_measures(metric: catalogue.Metric, k: int = 3) -> list[str]:
    """The metric by each of its names, with a cut-off where it takes one and what it requires."""
    required = [f"{p.name}=1000" for p in metric.parameters.values() if p.is_required]
    arguments = f"({', '.join(required)})" if required else ""
    parts = (name.partition("@") for name in metric.names)
    cutoff = {"k": k, "rank": k, "percentile": 95}.get(metric.cutoff, 0.4)
    return [f"{stem}{arguments}" + (f"@{cutoff}" if at else "") for stem, at, _ in parts]


CONNECT = duckdb.connect


def connect(database=":memory:", read_only=False, config=None):
    """A connection with one thread unless a test says otherwise; each core has its own tests."""
    return CONNECT(database, read_only, {"threads": 1} if config is None else config)


duckdb.connect = connect


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of the cases of a test that is marked by few(n), all but n are thorough."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, each in cases.items():
        (number,) = each[0].get_closest_marker("few").args
        kept = random.Random(name).sample(range(len(each)), min(number, len(each)))
        for place, item in enumerate(each):
            if place not in kept:
                item.add_marker(pytest.mark.thorough)


@pytest.fixture(autouse=True)
def forget_added_metrics():
    """A metric that a test adds is gone when it ends."""
    yield
    for name in list(catalogue.list_added()):
        catalogue.remove(name)
