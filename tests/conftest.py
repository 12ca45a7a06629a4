"""What tests share: the repository, installed macros, and small judgments and runs as frames."""

from __future__ import annotations

import atexit
import gc
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from sqlmetrics import SqlMetricsError, catalogue, install
from sqlmetrics.macros import create as macros

ROOT = Path(__file__).parent.parent
QUICK_SUM = catalogue.choose(catalogue.find_file("exact_sum"), "bare")


def make_qrels(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")


def make_run(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")


def list_rows(nested: Mapping[str, Mapping[str, float]]) -> list[tuple[str, str, float]]:
    """Rows of judgments or of a run that is a dict of dicts."""
    return [(query, doc, value) for query, docs in nested.items() for doc, value in docs.items()]


def write_inputs(folder: Path, qrels: Mapping, runs: Mapping) -> Path:
    """Judgments and runs as CSV files of a folder, by their names."""
    for name, nested in qrels.items():
        make_qrels(list_rows(nested)).write_csv(folder / f"{name}.csv")
    for name, nested in runs.items():
        make_run(list_rows(nested)).write_csv(folder / f"{name}.csv")
    return folder


def keep(con: duckdb.DuckDBPyConnection, **tables: Any) -> None:
    """Tables of these names, for each version of DuckDB reads frames in its own way."""
    for name, frame in tables.items():
        con.register("_given", frame)
        con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM _given")
        con.unregister("_given")


@cache
def _open_installed() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    install_copy(con)
    return con


_NUMBERS = count()


def open_shell(**tables: Any) -> duckdb.DuckDBPyConnection:
    """A connection with the macros of `install`, and a database of its own with tables."""
    con, name = _open_installed().cursor(), f"shell_{next(_NUMBERS)}"
    con.execute(f"ATTACH ':memory:' AS {name}")
    con.execute(f"SET search_path = '{name}.main,memory.main'")
    keep(con, **tables)
    return con


def assert_refused(con: duckdb.DuckDBPyConnection, query: str, said: str) -> None:
    with pytest.raises(duckdb.Error) as error:
        con.execute(query).fetchall()
    assert said in str(error.value)


def assert_wrong(said: str, call: Callable[..., object], *given: Any, **options: Any) -> None:
    with pytest.raises(SqlMetricsError) as error:
        call(*given, **options)
    assert said in str(error.value)


def create_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create the macros as their files have them, which run as they are.

    Sums are the quick ones of `evaluate`.
    """
    _copy_macros(con, as_installed=False)


def install_copy(con: duckdb.DuckDBPyConnection) -> None:
    """Create the macros of `install`, copied from where they are installed once: ten times faster."""
    _copy_macros(con, as_installed=True)


def _copy_macros(con: duckdb.DuckDBPyConnection, *, as_installed: bool) -> None:
    ((name,),) = con.execute("SELECT current_database()").fetchall()
    con.execute(f"ATTACH '{_write_macros(as_installed=as_installed)}' AS _macros (READ_ONLY)")
    con.execute(f'COPY FROM DATABASE _macros TO "{name}"')
    con.execute("DETACH _macros")


@cache
def _write_macros(*, as_installed: bool) -> Path:
    """A database with the macros of files, or of `install`."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "macros.duckdb"
    with duckdb.connect() as con:
        con.execute(
            f"ATTACH '{path}' AS _macros (STORAGE_VERSION 'v1.4.0')"
        )  # for typed parameters
        con.execute("USE _macros")
        con.begin()
        if as_installed:
            install(con)
        else:
            for file in [*macros.sort_files(), QUICK_SUM]:
                con.execute(file.text)
        con.commit()
    return path


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


def pytest_configure(config):
    """Workers, and the commands that they run, have one thread each, and compile modules once."""
    os.environ |= {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"} | os.environ
    # most sessions of Spark have few rows: to compile them well would take longer than it saves
    os.environ |= {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"} | os.environ
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    gc.disable()  # while 8,000 tests are found, nothing is garbage


def pytest_collection_finish():
    """What there is now stays, so that collecting garbage need not look at it, nor often at the rest."""
    gc.freeze()
    gc.set_threshold(100_000)
    gc.enable()


def pytest_sessionfinish():
    gc.unfreeze()


def pytest_addoption(parser):
    parser.addoption(
        "--cases", type=int, metavar="n", help="of each test, run n cases, always the same"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """All but a few of a test's cases are thorough: those that few(n) or the option leaves.

    With -k, as by someone who works on one thing, all cases of what it chooses run.
    """
    if config.option.keyword:
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("engines"):  # all of them run wherever engines are installed
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    most = config.getoption("cases") or len(items)
    for name, each in cases.items():
        marker = each[0].get_closest_marker("few")
        number = min(len(each), most, *(marker.args if marker else ()))
        kept = random.Random(name).sample(range(len(each)), number)
        for place, item in enumerate(each):
            if place not in kept:
                item.add_marker(pytest.mark.thorough)


@pytest.fixture(autouse=True)
def forget_added_metrics():
    """A metric that a test adds is gone when it ends."""
    yield
    for name in list(catalogue.list_added()):
        catalogue.remove(name)


@pytest.fixture(scope="module")
def browser():
    """Chromium, which keeps what is written to its console."""
    webdriver = pytest.importorskip("selenium.webdriver")
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    assert driver, "install chromium and chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = program
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400"):
        options.add_argument(argument)
    service = webdriver.chrome.service.Service(driver)
    with webdriver.Chrome(options=options, service=service) as started:
        yield started
