"""Engines other than DuckDB, run for real, and the scores of every metric on each."""

from __future__ import annotations

import getpass
import json
import math
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

import duckdb
import engine_tables
import polars as pl
import recommended
from click_logs import draw_log, score_log
from conftest import ROOT, install_copy, name_measures
from peers import make_collection
from test_peers_diversity import make_collection as make_groups

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.translate.features import ENGINES as DIALECTS

PAGE = ROOT / "docs" / "engines.md"
STALE = "stale: docs/engines.md\nto write it, type: python docs/build.py --engines"
EXACT = 1e-12
Rows = list[tuple[str | float, ...]]


@cache
def make_tables() -> dict[str, pl.DataFrame]:
    """Ties, grades below 0, ids beyond ASCII, queries that only one side has."""
    qrels, run = make_collection(seeds=30)
    grouped_qrels, grouped_run = make_groups(seeds=30)
    return {
        "qrels": qrels,
        "run": run,
        "grouped_qrels": grouped_qrels,
        "grouped_run": grouped_run,
    }


@cache
def list_measures() -> dict[str, tuple[str, str, str]]:
    """Every metric by each of its names, with the relation and the tables that it is asked of."""
    return {
        name: (metric.relation, prefix + "qrels", prefix + "run")
        for metric in catalogue.all_metrics("runs")
        for prefix in ["grouped_" * metric.is_by_subtopic]
        for name in name_measures(metric)
    }


@cache
def list_measures_of(kind: str) -> list[str]:
    """The metrics of a kind other than runs, by each of their names."""
    metrics = (metric for metric in catalogue.all_metrics() if metric.kind == kind)
    return [name for metric in metrics for name in name_measures(metric)]


def list_all_measures() -> list[str]:
    return [*list_measures(), *(name for each in FAMILIES for name in list_measures_of(each))]


@cache
def make_log() -> pl.DataFrame:
    """Pages with and without results, clicks and times, in segments."""
    logs = [
        draw_log(seed).with_columns(
            pl.concat_str("page_id", pl.lit(f"-{seed}")).alias("page_id"),
            pl.col("country").fill_null("us"),
        )
        for seed in range(12)
    ]
    return pl.concat(logs)


@cache
def expect(measures: tuple[str, ...], qrels: str, run: str, conventions: str) -> Rows:
    """The rows of scores that DuckDB computes by the macros."""
    tables, options = make_tables(), json.loads(conventions)
    found = sm.evaluate(tables[qrels], tables[run], [*measures], **options)
    return found.per_query.drop("run_id").rows()


@cache
def draw_lists() -> dict[str, pl.DataFrame]:
    """Lists of any length for users, with tied scores, and all that they are compared with."""
    tables = recommended.draw_case(9).make_tables()
    return {f"drawn_{name}": table for name, table in tables.items()}


@cache
def draw_neighbours() -> dict[str, pl.DataFrame]:
    """Exact neighbours with ties, and those that two indexes return of them and of others."""
    chance = random.Random(1)
    exact, found = [], []
    for query in range(30):
        near = sorted(chance.choice([0.25, 0.5, 0.75, 1.0, 2.0]) for _ in range(12))
        exact += [(f"q{query}", f"d{n}", distance) for n, distance in enumerate(near)]
        for index in ("one", "two"):
            some = chance.sample(range(16), chance.randint(1, 14))
            found += [
                (index, f"q{query}", f"d{n}", near[n] if n < 12 else 1.0 + n / 8) for n in some
            ]
    names = ["query_id", "doc_id", "distance"]
    return {
        "exact_neighbours": pl.DataFrame(exact, names, orient="row"),
        "found_neighbours": pl.DataFrame(found, ["run_id", *names], orient="row"),
    }


def score_lists(tables, names):
    given = {name.removeprefix("drawn_"): table for name, table in tables.items()}
    return sm.evaluate(given.pop("qrels"), given.pop("run"), names, **given).mean.drop("run_id")


@dataclass(frozen=True)
class Family:
    """The metrics of a kind: tables, the options of `sql` for them, and their scores here."""

    make_tables: Callable[[], dict[str, pl.DataFrame]]
    options: dict[str, object]
    score: Callable[[dict[str, pl.DataFrame], list[str]], pl.DataFrame]


FAMILIES = {
    "recommendations": Family(
        draw_lists,
        {name: f"drawn_{name}" for name in ("run", "qrels", "history", "items", "baseline")},
        score_lists,
    ),
    "neighbours": Family(
        lambda: dict(zip(("exact", "found"), draw_neighbours().values(), strict=True)),
        {"qrels": "exact", "run": "found", "columns": {"run_id": "run_id"}},
        lambda tables, names: sm.evaluate(*tables.values(), names).per_query,
    ),
    "clicks": Family(
        lambda: {"log": make_log()},
        {"by": "country"},
        lambda tables, names: score_log(tables["log"], names, by="country"),
    ),
}


def write_types(frame, text, number):
    columns = (f"{c} {number if held.is_numeric() else text}" for c, held in frame.schema.items())
    return ", ".join(columns)


class DuckDB:
    dialect = "duckdb"

    def __init__(self, folder=None, server=None):
        self.con = duckdb.connect()
        self.version = duckdb.__version__

    def load(self, name, frame):
        self.con.execute(f"CREATE TABLE {name} ({write_types(frame, 'VARCHAR', 'DOUBLE')})")
        values = ", ".join("?" * frame.width)
        if rows := frame.rows():
            self.con.executemany(f"INSERT INTO {name} VALUES ({values})", rows)

    def ask(self, query):
        return self.con.execute(query).fetchall()


class SQLite:
    """With columns that take small and capital letters for the same, which must not matter."""

    dialect = "sqlite"

    def __init__(self, folder=None, server=None):
        self.con = sqlite3.connect(":memory:")
        self.version = sqlite3.sqlite_version

    def load(self, name, frame):
        types = write_types(frame, "TEXT COLLATE NOCASE", "REAL")
        self.con.execute(f"CREATE TABLE {name} ({types})")
        values = ", ".join("?" * frame.width)
        self.con.executemany(f"INSERT INTO {name} VALUES ({values})", frame.rows())

    def ask(self, query):
        return self.con.execute(query).fetchall()


@contextmanager
def start_postgres() -> Iterator[str]:
    """The address of a server of our own, whose texts are in the order of a language."""
    programs = [Path(p).parent for p in [shutil.which("initdb")] if p]
    programs += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if not programs:
        raise FileNotFoundError("PostgreSQL's initdb is missing: apt-get install postgresql")
    # the server refuses to be run by root
    user = "postgres" if getpass.getuser() == "root" else None
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if user:
        shutil.chown(folder, user)

    def call(program, *arguments):
        command = [programs[0] / program, *arguments]
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    data = folder / "data"
    locale = ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"]
    call("initdb", "-D", data, "-E", "UTF8", "-U", "postgres", "-A", "trust", "--no-sync", *locale)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    try:
        call("pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start")
        yield f"host={folder} user=postgres dbname=postgres"
    finally:
        call("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


class PostgreSQL:
    dialect = "postgres"

    def __init__(self, folder, address):
        import psycopg

        self.con = psycopg.connect(address, autocommit=True)
        number = self.con.info.server_version
        self.version = f"{number // 10000}.{number % 10000}"

    def load(self, name, frame):
        self.con.execute(f"DROP TABLE IF EXISTS {name}")
        self.con.execute(f"CREATE TABLE {name} ({write_types(frame, 'text', 'double precision')})")
        with self.con.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in frame.rows():
                copy.write_row(row)

    def ask(self, query):
        return self.con.execute(query).fetchall()


class ClickHouse:
    """With its own way of outer joins, which fill in 0 and empty texts."""

    dialect = "clickhouse"

    def __init__(self, folder, server=None):
        from chdb import session

        self.folder = folder
        self.con = session.Session()
        ((self.version,),) = self.ask("SELECT version()")

    def load(self, name, frame):
        path = self.folder / f"{name}.parquet"
        frame.write_parquet(path)
        filled = [c for c in frame.columns if not frame[c].null_count()]
        columns = ", ".join(
            f"assumeNotNull({c}) AS {c}" if c in filled else c for c in frame.columns
        )
        rows = f"file('{path}', Parquet)"
        self.con.query(f"CREATE TABLE {name} ENGINE = Memory AS SELECT {columns} FROM {rows}")

    def ask(self, query):
        if "\nSETTINGS " in query:  # without it, a number without an end is null
            query += ", output_format_json_quote_denormals = 1"
        text = str(self.con.query(query, "JSONCompactEachRow"))
        return [tuple(json.loads(line)) for line in text.splitlines()]


class DataFusion:
    dialect = "datafusion"

    def __init__(self, folder, server=None):
        import datafusion

        self.folder = folder
        self.con = datafusion.SessionContext()
        self.version = datafusion.__version__

    def load(self, name, frame):
        path = self.folder / f"{name}.parquet"
        frame.write_parquet(path)
        self.con.register_parquet(name, str(path))

    def ask(self, query):
        return [tuple(row.values()) for row in self.con.sql(query).to_pylist()]


class Spark:
    dialect = "spark"

    def __init__(self, folder, session):
        self.folder = folder
        self.session = session
        self.version = session.version

    def load(self, name, frame):
        path = self.folder / f"{name}.parquet"
        frame.write_parquet(path)
        self.session.read.parquet(str(path)).createOrReplaceTempView(name)

    def ask(self, query):
        return [tuple(row) for row in self.session.sql(query).collect()]


ENGINES = {
    "DuckDB": DuckDB,
    "Spark": Spark,
    "PostgreSQL": PostgreSQL,
    "SQLite": SQLite,
    "DataFusion": DataFusion,
    "ClickHouse": ClickHouse,
}


# Dialects that are written, with no engine here to run them.
RENDERED = [name for name in DIALECTS if name not in {each.dialect for each in ENGINES.values()}]


# For many queries of small tables: interpreted, as to compile one takes longer than to run it.
SMALL_QUERIES = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@contextmanager
def start_spark(folder, master="local[2]", *, is_long=False, **settings):
    """A session of our own, that writes nothing outside of a folder.

    A long one, over many rows, is compiled as Java does by default, not as ``conftest`` asks for.
    """
    import pyspark
    from pyspark.sql import SparkSession

    folder = Path(folder).resolve()
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    compiled = "-XX:TieredStopAtLevel=4" if is_long else ""
    builder = SparkSession.builder.master(master)
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.log.level": "OFF",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "500m",
        "spark.sql.shuffle.partitions": "2" if master == "local[2]" else "64",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder} {compiled}",
        "spark.executor.extraJavaOptions": compiled,
        **settings,
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def run_alone(code, folder):
    """Run Python in a process of its own, for there is one Spark in each."""
    known = f"import sys; sys.path[:0] = {[str(ROOT / 'tests'), str(ROOT / 'tools')]}\n"
    done = subprocess.run(
        [sys.executable, "-c", known + dedent(code)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def compare(engine, every: int = 1, at_once: int = 1) -> dict[str, float | str]:
    """By metric, the largest difference of a query's score from DuckDB's, or why there is none.

    With ``every``, only one in that number of metrics is asked; a query asks ``at_once`` of them, if
    they are over the same rows.
    """
    for name, frame in make_tables().items():
        engine.load(name, frame)
    wanted = [*list_measures().items()][::every]
    by_rows: dict[tuple[str, ...], list[str]] = {}
    for measure, rows in wanted:
        by_rows.setdefault(rows, []).append(measure)
    found: dict[str, float | str] = {}
    for (_, *tables), measures in by_rows.items():
        for start in range(0, len(measures), at_once):
            found |= compare_scores(engine, measures[start : start + at_once], *tables)
    found = {measure: found[measure] for measure, _ in wanted}
    for kind in FAMILIES:
        found |= compare_family(engine, kind, list_measures_of(kind)[::every])
    return found


# SELECTs over macros that are not metrics, with how many of their columns are keys.
STATEMENTS = {
    "bounds": (
        2,
        """
        SELECT b.run_id, b.query_id, lowest_ap(b) AS lowest, highest_ap(b) AS highest,
            highest_precision_at(b, k := 5) AS p, highest_recall_at(b, k := 5) AS r,
            highest_rr(b) AS rr, highest_success_at(b, k := 3) AS success,
            highest_rbp(b) AS rbp, highest_dcg(b, k := 5) AS dcg
        FROM bounded(pool_qrels, pool_run, max_rel := 3) AS b GROUP BY b.run_id, b.query_id
        """,
    ),
    "to_judge": (
        2,
        """
        SELECT t.query_id, t.doc_id, t.runs, t.best_rank, t.misses, t.weight, t.influence
        FROM to_judge(pool_qrels, pool_run) AS t
        """,
    ),
    "without": (
        3,
        "SELECT w.run_id, w.query_id, w.doc_id, w.score FROM without(pool_run, pool_qrels) AS w",
    ),
    "neighbours": (
        2,
        """
        SELECT n.run_id, n.query_id, ann_recall(n, k := 3) AS near, id_recall(n, k := 2, within := 5) AS by_id,
            id_recall(n, k := 3, tied := 'all') AS tied, discounted_recall(n, k := 4) AS discounted,
            ann_recall(n, k := 20, denominator := 'achievable') AS all_there,
            distance_ratio(n, k := 5) AS ratio
        FROM neighbours(exact_neighbours, found_neighbours) AS n GROUP BY n.run_id, n.query_id
        """,
    ),
    "found_alone": (
        3,
        "SELECT f.run_id, f.query_id, f.doc_id, f.rank, f.relevant FROM found_alone(pool_qrels, pool_run) AS f",
    ),
    "stratified": (
        2,
        """
        SELECT s.run_id, s.query_id, inferred_ap(s) AS ap, inferred_ndcg(s) AS ndcg
        FROM stratified(sampled_qrels, pool_run) AS s GROUP BY s.run_id, s.query_id
        """,
    ),
    "sessions": (
        2,
        """
        SELECT j.run_id, j.query_id, rr(j) AS rr, ndcg(j, k := 3) AS ndcg, ap(j) AS ap, num_rel_ret(j) AS found
        FROM session_judged(shown_log, shown_run) AS j GROUP BY j.run_id, j.query_id
        """,
    ),
    "probabilities": (
        2,
        """
        WITH mapped AS (SELECT * FROM judged(pool_qrels, pool_run, gains := MAP {1: 0.25, 2: 1.0, 3: 0.5, 4: 0.9}))
        SELECT j.run_id, j.query_id, err(j) AS err, nerr(j, k := 3) AS nerr, pfound(j, k := 5, decay := 7e-1) AS found
        FROM cascade(mapped, gain := 'probability') AS j GROUP BY j.run_id, j.query_id
        """,
    ),
    "agreement": (
        1,
        """
        SELECT r.query_id, raw_agreement(r) AS raw, positive_agreement(r) AS positive,
            cohen_kappa(r, weights := 'quadratic') AS kappa
        FROM agreed(pool_qrels, 'other_qrels') AS r GROUP BY r.query_id
        """,
    ),
}


@cache
def make_statement_tables() -> dict[str, pl.DataFrame]:
    """Judgments of two judges, two runs of these, and two of a log."""
    qrels, run = make_collection(seeds=10)
    log = make_log()
    shown = log.select("query_id", "doc_id").drop_nulls().unique(maintain_order=True)
    shown = shown.with_columns(score=pl.int_range(pl.len()) * 7 % 5, run_id=pl.lit("one"))
    less = shown[::2].with_columns(pl.col("score").neg(), run_id=pl.lit("two"))
    other = qrels.with_columns(relevance=(pl.col("relevance") + 1) % 3)
    runs = [run.with_columns(run_id=pl.lit("one")), run[::2].with_columns(run_id=pl.lit("two"))]
    return {
        "pool_qrels": qrels,
        "pool_run": pl.concat(runs),
        "other_qrels": other,
        **draw_neighbours(),
        "shown_log": log,
        "shown_run": pl.concat([shown, less]),
        "sampled_qrels": qrels.with_columns(stratum=pl.col("doc_id").str.slice(0, 1)),
    }


@cache
def expect_statement(name: str) -> Rows:
    """The rows that DuckDB has by the macros."""
    with duckdb.connect() as con:
        install_copy(con)
        for table, frame in make_statement_tables().items():
            con.register("given", frame)
            con.execute(f"CREATE TABLE {table} AS FROM given")
        return con.execute(STATEMENTS[name][1]).fetchall()


def compare_statements(engine) -> dict[str, float]:
    """The largest difference of each of `STATEMENTS` from DuckDB's by the macros.

    Those that the engine cannot compute are left out.
    """
    for table, frame in make_statement_tables().items():
        engine.load(table, frame)
    found = {}
    for name, (number, text) in STATEMENTS.items():
        try:
            query = sm.sql(text, dialect=engine.dialect, columns={"run_id": "run_id"})
        except sm.MetricError:
            continue
        rows = {row[:number]: row[number:] for row in map(tuple, engine.ask(query))}
        expected = {row[:number]: row[number:] for row in expect_statement(name)}
        assert rows.keys() == expected.keys()
        found[name] = max(
            0.0 if x is None and y is None else abs(float(x) - float(y))
            for key in rows
            for x, y in zip(rows[key], expected[key], strict=True)
        )
    return found


def compare_family(engine, kind, measures) -> dict[str, float | str]:
    """The same of metrics of a kind other than runs."""
    family = FAMILIES[kind]
    tables = family.make_tables()
    for name, table in tables.items():
        lists = [column for column, kind in table.schema.items() if kind == pl.List]
        engine.load(name, table if engine.dialect == "duckdb" else table.drop(lists))
    found: dict[str, float | str] = {}
    for measure in measures:
        try:
            sm.sql(measure, dialect=engine.dialect)
        except sm.MetricError as refusal:
            found[measure] = str(refusal)
    able = [measure for measure in measures if measure not in found]
    got = sorted(engine.ask(sm.sql(able, dialect=engine.dialect, **family.options)))
    expected = sorted(family.score(tables, able).rows())
    keys = len(expected[0]) - len(able)
    assert [tuple(row[:keys]) for row in got] == [row[:keys] for row in expected]
    for place, measure in enumerate(able, keys):
        pairs = zip(got, expected, strict=True)
        found[measure] = max(measure_difference(a[place], b[place]) for a, b in pairs)
    return {measure: found[measure] for measure in measures}


def compare_scores(engine, measures, qrels="qrels", run="run", **conventions):
    """The same of some metrics, which are asked in one query, without those that are refused."""
    columns = {"subtopic": "subtopic"} if qrels.startswith("grouped") else None
    found: dict[str, float | str] = {}

    def write(asked):
        tables = {"qrels": qrels, "run": run, "columns": columns}
        return sm.sql(asked, dialect=engine.dialect, **tables, **conventions)

    def find_able(asked):
        for measure in asked:
            try:
                write(measure)
                yield measure
            except sm.MetricError as refusal:
                found[measure] = str(refusal)

    known = read_page().get(type(engine).__name__, set())
    able = [*find_able(m for m in measures if m in known), *(m for m in measures if m not in known)]
    try:
        query = able and write(able)
    except sm.MetricError:
        able = [*find_able(able)]
        query = able and write(able)
    if not query:
        return found
    expected = expect(tuple(able), qrels, run, json.dumps(conventions))
    try:
        got = engine.ask(query)
    except Exception as error:
        for measure in able if len(able) > 1 else []:  # one by one, to name the one that fails
            compare_scores(engine, [measure], qrels, run, **conventions)
        raise AssertionError(f"{engine.dialect} cannot run {' '.join(able)}") from error
    assert [row[0] for row in got] == [row[0] for row in expected], able
    _, *scores = zip(*got, strict=True)
    _, *right = zip(*expected, strict=True)
    for measure, *each in zip(able, scores, right, strict=True):
        found[measure] = max(map(measure_difference, *each))
    return found


CONVENTIONS = [
    {"ties": "ascending"},
    {"ties": "best"},
    {"ties": "worst"},
    {"ties": "expected"},
    {"depth": 3},
    {"judged_only": True},
    {"judged_only": True, "depth": 2},
    {"rel": 2},
    {"queries": "answered"},
    {"queries": "relevant"},
    {"queries": "answered, relevant", "rel": 2},
    {"no_relevant": 1},
    {"exclude": "self"},
    {"score_type": "float32"},
    {"preset": "gdeval"},
    {"preset": "trec_eval-9"},
]


def list_measures_by(conventions) -> list[str]:
    if conventions.get("ties") != "expected":
        return ["nDCG@5", "AP(rel=1)", "ERR(max_rel=9)", "Bpref", "Compat"]
    expected = catalogue.files()["expected"]
    able = (m for m in catalogue.all_metrics("runs") if f"expected_{m.macro}" in expected)
    return [name for metric in able for name in name_measures(metric)]


def compare_conventions(engine) -> dict[str, float | str]:
    """By conventions and metric, the largest difference from DuckDB's macros, or why there is none."""
    found: dict[str, float | str] = {}
    for conventions in CONVENTIONS:
        measures = list_measures_by(conventions)
        try:
            each = compare_scores(engine, measures, **conventions)
        except sm.InputError as refusal:
            each = dict.fromkeys(measures, str(refusal))
        found |= {f"{measure} {json.dumps(conventions)}": each[measure] for measure in each}
    return found


def measure_difference(got, expected) -> float:
    """Infinite where there is no score."""
    if isinstance(expected, str) or expected is None:
        return 0.0 if got == expected else 1.0
    return math.inf if got is None else abs(float(got) - expected)


@dataclass(frozen=True)
class Told:
    """An engine's version, and its differences from DuckDB, or why there is none, by what it is asked."""

    version: str
    by_metric: dict[str, float | str]
    by_convention: dict[str, float | str]
    by_statement: dict[str, float]
    by_table: engine_tables.Found


def ask(engine, at_once: int = 1) -> Told:
    """All that an engine is asked, once."""
    return Told(
        engine.version,
        compare(engine, at_once=at_once),
        compare_conventions(engine),
        compare_statements(engine),
        engine_tables.compare_tables(engine),
    )


def ask_alone(name: str, at_once: int = 1) -> Told:
    """The same in a process of its own: libraries of several engines do not go together in one."""
    with tempfile.TemporaryDirectory() as folder:
        run_alone(f"import engines; engines.tell({name!r}, {at_once})", folder)
        return Told(**json.loads((Path(folder) / "found.json").read_text(encoding="utf-8")))


def tell(name, at_once):
    """What `ask_alone` asks, into a file."""
    folder = Path.cwd()
    with ExitStack() as stack:
        servers = {
            "Spark": lambda: stack.enter_context(start_spark(folder, **SMALL_QUERIES)),
            "PostgreSQL": lambda: stack.enter_context(start_postgres()),
        }
        told = ask(ENGINES[name](folder, servers.get(name, lambda: None)()), at_once)
    Path("found.json").write_text(json.dumps(asdict(told)), encoding="utf-8")


def write_page(found: dict[str, dict[str, float | str]], versions: dict[str, str]) -> str:
    """The table of all metrics on all engines: the largest difference of a query's score."""
    lines = [
        "# The same scores on every engine",
        "",
        "Written by `python docs/build.py --engines`. Each engine runs the plain SQL of each metric, without",
        "and with a cut-off, over judgments and runs with ties, grades below 0, ids beyond ASCII and queries",
        "on one side only; metrics of recommendations, over drawn lists and a catalogue; of neighbours, over",
        "distances with ties; of clicks, over a log with segments. A cell is the largest difference from the",
        "score of DuckDB's macros, rounded up; – means that an engine cannot compute it. The tests at the",
        "lowest versions check DuckDB 1.5 in the same way. [Analyses and checks](engines/analyses.md) have a",
        "page of their own.",
        "",
        "Pasted into PostgreSQL, ClickHouse and Spark, an experiment of 1,000,000 users has the differences,",
        "intervals and p-values of scipy within 1e-11 of their size, in 10, 3 and 25 s, and with CUPED those of",
        "tea-tasting within 1e-9, in 17, 3 and 77 s. A comparison of 5 runs over 10,000 queries has those of",
        "scipy, with Holm's correction by statsmodels, within 1e-11, in 0.5, 2 and 60 s",
        "([how](../benchmarks/README.md#decisions-by-pasted-sql)).",
        "",
        "| | " + " | ".join(f"{name} {versions[name]}" for name in found) + " |",
        "|---|" + "---|" * len(found),
    ]
    for measure in list_all_measures():
        cells = (write_difference(each[measure]) for each in found.values())
        lines.append(f"| `{measure}` | " + " | ".join(cells) + " |")
    reasons: dict[str, list[str]] = {}
    for name, each in found.items():
        for measure, difference in each.items():
            if isinstance(difference, str):
                reasons.setdefault(f"{name}: {difference.partition(': ')[2]}", []).append(measure)
    lines += ["", "What is missing, and why:", ""]
    lines += [f"- {reason}: {', '.join(names)}" for reason, names in reasons.items()]
    lines += [
        "",
        "## Written, not run",
        "",
        "Plain SQL for other warehouses is read by a parser of their dialects and searched for what is known",
        "to go wrong, but none of them runs it here. With cut-offs of 100, these are refused:",
        "",
        *(
            f"- {dialect}, {reason}: {', '.join(names)}"
            for dialect in RENDERED
            for reason, names in group_by_reason(list_refusals(dialect)).items()
        ),
    ]
    return "\n".join(lines) + "\n"


def group_by_reason(refusals: dict[str, str]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for measure, reason in refusals.items():
        reasons.setdefault(reason, []).append(f"`{measure}`")
    return reasons


def list_refusals(dialect: str) -> dict[str, str]:
    """By metric, why it is not written in a dialect."""
    found = {}
    for metric in catalogue.all_metrics():
        measure = name_measures(metric, 100)[-1]
        try:
            sm.sql(measure, dialect=dialect)
        except sm.MetricError as refusal:
            found[measure] = str(refusal).split(": ", 1)[1]
    return found


def read_refusals(dialect: str) -> dict[str, str]:
    """The same, as the page has it."""
    lines = re.findall(rf"^- {dialect}, (.*?): (.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    return {measure: why for why, names in lines for measure in re.findall("`(.*?)`", names)}


def write_difference(difference: float | str) -> str:
    if isinstance(difference, str):
        return "–"
    return f"1e{math.ceil(math.log10(difference))}" if difference else "0"


def read_differences() -> tuple[dict[str, dict[str, float | str]], dict[str, str]]:
    """By engine, what the page has of each metric, and the version that was asked."""
    text = PAGE.read_text(encoding="utf-8")
    head, *rows = (line.strip("| ").split(" | ") for line in re.findall(r"^\| .*", text, re.M))
    versions = dict(title.rsplit(" ", 1) for title in head)
    reasons = {
        (name, measure): f"{measure}: {reason}"
        for name, reason, measures in re.findall(r"^- (\w+): (.*): (.*)$", text, re.M)
        for measure in measures.split(", ")
    }
    found: dict[str, dict[str, float | str]] = {name: {} for name in versions}
    for quoted, *cells in rows:
        measure = quoted.strip("`")
        for name, cell in zip(versions, cells, strict=True):
            found[name][measure] = reasons[name, measure] if cell == "–" else float(cell)
    return found, versions


@cache
def read_page() -> dict[str, set[str]]:
    """By engine, the metrics that it cannot compute."""
    found, _ = read_differences()
    return {
        name: {measure for measure, difference in each.items() if isinstance(difference, str)}
        for name, each in found.items()
    }
