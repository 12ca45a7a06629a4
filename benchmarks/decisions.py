"""Decisions by pasted SQL on other engines, beside scipy, tea-tasting and DuckDB; their seconds.

    python benchmarks/decisions.py values
    python benchmarks/decisions.py seconds
    python benchmarks/report.py

Needs the engines of the tests, tea-tasting and statsmodels. Each query is a process of its own,
that ends after a limit; the tables are loaded before the clock starts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np
import polars as pl

HERE = Path(__file__).parent
VALUES, SECONDS = HERE / "decisions.csv", HERE / "decision_seconds.csv"
LIMIT = 60
WAYS = ["DuckDB", "PostgreSQL", "PostgreSQL, jit = off"]
WAYS += ["ClickHouse", "ClickHouse, MATERIALIZED", "Spark"]
TIMED_WAYS = ["DuckDB", "PostgreSQL, jit = off", "SQLite", "DataFusion"]
TIMED_WAYS += ["ClickHouse, MATERIALIZED", "Spark"]
REQUIRED = {"users_needed": ["relative := 1e-2"]}
EXPERIMENT = "experiment(users, control := 'A', cuped := {cuped}, correction := 'none')"
COMPARED = "compared(scores, baseline := 'r0')"
ENDS = ["difference", "low", "high", "p"]

DECIDED = """\
## Decisions by pasted SQL

An experiment of 1,000,000 users, with revenue (most of it 0) and a conversion of 0 or 1, each with
its value before; and a comparison of four runs with a fifth over 10,000 queries, p corrected by
Holm. Each engine ran the text of `sm.sql("SELECT * FROM experiment(…)", dialect=…)` over the same
rows, loaded before; DuckDB ran its macros. A line shows the numbers of one metric or run, and the
largest relative difference of any number of all of them. Seconds are of one run beside other work
on two cores: compare orders of magnitude. Spark is one process with 4 GB. With MATERIALIZED,
ClickHouse computes each named query once: [how](../docs/engines/clickhouse.md).

Made by `python benchmarks/decisions.py values`, then `seconds`, and `python benchmarks/report.py`.
"""
TIMED = """\
### Seconds of each analysis

With defaults over tables of 1,000,000 rows each: scores of 5 runs, users, lists of 1,000 documents,
pages of 10 documents, ratings of 2 judges. One run each beside other work, until a limit; "no" is
for what an engine cannot compute, and an empty cell was not run.
"""


def number(prefix: str, values: Sequence[int] | np.ndarray) -> pl.Series:
    return pl.Series(np.asarray(values)).cast(pl.String).str.replace("^", prefix)


def draw_users(users: int) -> pl.DataFrame:
    """Revenue, most of it 0, and whether a user bought, each with its value before."""
    random = np.random.default_rng(42)
    treated = random.random(users) < 0.5
    taste = random.normal(0, 1, users)
    spent = [np.exp(taste + random.normal(0, 1, users)) for _ in range(2)]
    bought = [random.random(users) < 0.1 + 0.0015 * treated * now for now in (1, 0)]
    revenue = [spent[0] * bought[0] * (1 + 0.01 * treated), spent[1] * bought[1]]
    keys = {"user_id": number("u", np.arange(users)), "variant": np.where(treated, "B", "A")}
    return pl.concat(
        pl.DataFrame({**keys, "metric": metric, "numerator": now, "before": before})
        for metric, (now, before) in {
            "revenue": revenue,
            "conversion": [each.astype(float) for each in bought],
        }.items()
    )


def draw_scores(runs: int, queries: int) -> pl.DataFrame:
    random = np.random.default_rng(42)
    base = random.beta(1, 2, queries)
    noise = random.normal(0, 0.1, (runs, queries)) + 0.001 * np.arange(runs)[:, None]
    return pl.DataFrame(
        {
            "run_id": number("r", np.repeat(np.arange(runs), queries)),
            "metric": "AP",
            "query_id": number("q", np.tile(np.arange(queries), runs)),
            "score": np.clip(base + noise, 0, 1).ravel(),
        }
    )


def draw_lists(rows: int, seed: int) -> pl.DataFrame:
    """A list of 1,000 documents for each query."""
    place = np.arange(rows)
    return pl.DataFrame(
        {
            "query_id": number("q", place // 1000),
            "doc_id": number("d", place % 1000),
            "score": np.random.default_rng(seed).random(rows).round(4),
        }
    )


def draw_log(rows: int) -> pl.DataFrame:
    """Pages of ten documents that two rankers interleaved."""
    random, place = np.random.default_rng(42), np.arange(rows)
    return pl.DataFrame(
        {
            "page_id": number("p", place // 10),
            "query_id": number("q", place // 10 % 1000),
            "doc_id": number("d", (place % 10 + place // 10 % 7)),
            "position": place % 10 + 1.0,
            "clicked": (random.random(rows) < 0.3 / (place % 10 + 1)) * 1.0,
            "team": np.where(random.random(rows) < 0.5, "a", "b"),
        }
    )


def draw_table(parameter: str, rows: int) -> pl.DataFrame:
    """A table of this many rows for the parameter of an analysis."""
    if parameter == "users":
        return draw_users(rows).filter(metric="revenue").drop("metric")
    if parameter in ("log", "pages"):
        own = "team" if parameter == "pages" else "query_id doc_id"
        return draw_log(rows).select("page_id", "position", "clicked", *own.split())
    if parameter in ("run", "baseline"):
        lists = draw_lists(rows, seed=len(parameter))
        return lists.with_columns(run_id=pl.lit("x"))
    if parameter == "mapping":
        return pl.DataFrame(
            {"passage_id": number("d", range(1000)), "doc_id": number("m", range(1000))}
        )
    if parameter in ("qrels", "changed", "first", "second"):
        grade = (pl.col("score") * 10 // 8).alias("relevance")
        return draw_lists(rows, seed=len(parameter)).select("query_id", "doc_id", grade)
    if parameter == "examination":
        return pl.DataFrame({"position": range(1, 11)}).with_columns(
            examination=1 / pl.col("position")
        )
    if parameter == "topics":
        return pl.DataFrame({"query_id": number("q", range(rows // 1000)), "weight": 1.0})
    if parameter == "ratings":
        rated = draw_lists(rows // 2, seed=1).select("query_id", "doc_id", relevance="score")
        return pl.concat(rated.with_columns(judge=pl.lit(judge)) for judge in "mn")
    scores = draw_scores(5, rows // 5)
    if parameter in ("automatic", "human"):
        scores = scores.with_columns(lowest=0.0, highest=1.0)
    return scores.head(500) if parameter == "human" else scores


@click.group()
def main() -> None:
    pass


@main.command(hidden=True)
@click.argument("engine")
@click.argument("call")
@click.argument("folder", type=Path)
@click.option("--address", default="")
@click.option("--limit", default=LIMIT)
def ask(engine: str, call: str, folder: Path, address: str, limit: int) -> None:
    """Load the tables of a folder, and print the rows of a call and its seconds."""
    import duckdb
    from conftest import create_macros
    from engine_tables import OPTIONAL
    from engines import ENGINES, start_spark

    import sqlmetrics as sm

    engine, _, set_so = engine.partition(", ")
    session: AbstractContextManager[Any] = nullcontext(address)
    if engine == "Spark":
        session = start_spark(folder / "spark", is_long=True, **{"spark.driver.memory": "4g"})
    with session as server:
        asked = duckdb.connect() if engine == "DuckDB" else ENGINES[engine](folder, server)
        columns = {}
        for path in folder.glob("*.parquet"):
            table = pl.read_parquet(path)
            columns |= {column: column for column in {*table.columns} & OPTIONAL}
            if engine == "DuckDB":
                asked.execute(f"CREATE TABLE {path.stem} AS FROM '{path}'")
            elif engine == "PostgreSQL":
                types = ", ".join(
                    f"{name} {'double precision' if kind.is_numeric() else 'text'}"
                    for name, kind in table.schema.items()
                )
                asked.con.execute(
                    f"DROP TABLE IF EXISTS {path.stem}; CREATE TABLE {path.stem} ({types})"
                )
                with (
                    asked.con.cursor() as cursor,
                    cursor.copy(f"COPY {path.stem} FROM STDIN CSV") as copy,
                ):
                    copy.write(table.write_csv(include_header=False))
                asked.con.execute(f"ANALYZE {path.stem}")
                asked.con.execute(f"SET statement_timeout = '{limit}s'")
                if set_so:
                    asked.con.execute(f"SET {set_so}")
            else:
                asked.load(path.stem, table)
        text = f"SELECT * FROM {call}"
        if engine == "DuckDB":
            create_macros(asked)
            run = lambda: asked.execute(text).fetchall()  # noqa: E731
        else:
            text = sm.sql(text, dialect=asked.dialect, columns=columns)
            if set_so == "MATERIALIZED" and "RECURSIVE" not in text:
                text = re.sub(r"^(\w+) AS \($", r"\1 AS MATERIALIZED (", text, flags=re.MULTILINE)
                text += ", enable_materialized_cte = 1"
            run = lambda: asked.ask(text)  # noqa: E731
        threading.Timer(limit + 1, lambda: end({"why": f"> {limit}"})).start()
        start = time.perf_counter()
        try:
            rows = run()
        except Exception as error:
            is_late = "statement timeout" in str(error)
            end({"why": f"> {limit}" if is_late else f"error: {str(error)[:300]}"})
        taken = time.perf_counter() - start
        names = [each[0] for each in asked.description] if engine == "DuckDB" else []
        end({"seconds": taken, "names": names, "rows": rows})


_ending = threading.Lock()


def end(found: dict) -> None:
    """Print what was found, and end; the first time only: at the limit, engines may fail, too."""
    _ending.acquire()
    print("\n" + json.dumps(found, default=str), flush=True)
    os._exit(0)


def call_engine(engine: str, call: str, folder: Path, address: str, limit: int = LIMIT) -> dict:
    command = [
        sys.executable,
        __file__,
        "ask",
        engine,
        call,
        folder,
        "--address",
        address,
        "--limit",
        limit,
    ]
    try:
        done = subprocess.run(
            [*map(str, command)], capture_output=True, text=True, timeout=limit + 90
        )
    except subprocess.TimeoutExpired:
        return {"why": f"> {limit}"}
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"why": f"error: {done.stderr[-300:]}"}


def write_tables(folder: Path, **tables: pl.DataFrame) -> Path:
    folder.mkdir()
    for name, table in tables.items():
        table.write_parquet(folder / f"{name}.parquet")
    return folder


def decide_users(
    users: pl.DataFrame, *, cuped: bool
) -> tuple[dict[str, list[dict]], dict[str, float]]:
    """The ends of each metric by scipy and tea-tasting, and the seconds of both."""
    import tea_tasting as tt
    from scipy.stats import ttest_ind

    found: dict[str, list[dict]] = {"scipy": [], "tea-tasting": []}
    seconds = dict.fromkeys(found, 0.0)
    for (metric,), rows in users.group_by("metric", maintain_order=True):
        start = time.perf_counter()
        a, b = (rows.filter(variant=each)["numerator"].to_numpy() for each in "AB")
        test = ttest_ind(b, a, equal_var=False)
        ends = test.confidence_interval(0.95)
        values = (b.mean() - a.mean(), ends.low, ends.high, test.pvalue)
        seconds["scipy"] += time.perf_counter() - start
        found["scipy"].append({"metric": metric, **dict(zip(ENDS, values, strict=True))})
        start = time.perf_counter()
        mean = tt.Mean("numerator", covariate="before" if cuped else None)
        result = tt.Experiment({"m": mean}, variant="variant").analyze(rows, "A")["m"]
        values = (
            *(result.effect_size, result.effect_size_ci_lower),
            *(result.effect_size_ci_upper, result.pvalue),
        )
        seconds["tea-tasting"] += time.perf_counter() - start
        found["tea-tasting"].append({"metric": metric, **dict(zip(ENDS, values, strict=True))})
    if cuped:
        del found["scipy"], seconds["scipy"]
    return found, seconds


def decide_scores(scores: pl.DataFrame) -> tuple[list[dict], float]:
    """The runs beside r0 by scipy, p by statsmodels, at the levels at which Holm tests them."""
    from scipy.stats import ttest_rel
    from statsmodels.stats.multitest import multipletests

    start = time.perf_counter()
    names = scores["run_id"].unique(maintain_order=True).to_list()
    base, *others = (scores.filter(run_id=name)["score"].to_numpy() for name in names)
    tests = [ttest_rel(other, base) for other in others]
    p = [test.pvalue for test in tests]
    corrected = multipletests(p, method="holm")[1]
    left, stopped = {}, 0  # Holm tests what follows the first p above its level at that level, too
    for step, place in enumerate(np.argsort(p)):
        left[place] = stopped or len(p) - step
        stopped = left[place] * (p[place] > 0.05 / left[place])
    found = []
    for place, (name, other, test) in enumerate(zip(names[1:], others, tests, strict=True)):
        ends = test.confidence_interval(1 - 0.05 / left[place])
        found.append(
            {
                "metric": name,
                "difference": (other - base).mean(),
                "low": ends.low,
                "high": ends.high,
                "p": corrected[place],
            }
        )
    return found, time.perf_counter() - start


@main.command()
@click.option("--users", default=1_000_000, show_default=True)
@click.option("--queries", default=10_000, show_default=True)
@click.option("-o", "--output", default=VALUES, type=click.Path(path_type=Path))
@click.argument("cases", nargs=-1)
def values(users: int, queries: int, output: Path, cases: tuple[str, ...]) -> None:
    """Write the decisions of each engine and tool to decisions.csv."""
    from engines import start_postgres

    drawn, scores = draw_users(users), draw_scores(5, queries)
    rows = []
    with tempfile.TemporaryDirectory() as place, start_postgres() as address:
        root = Path(place)
        root.chmod(0o755)
        folders = {
            "experiment": write_tables(root / "users", users=drawn),
            "compared": write_tables(root / "scores", scores=scores),
        }
        for case in cases or ("experiment", "experiment, CUPED", "compared"):
            if case == "compared":
                found, seconds = decide_scores(scores)
                peers, times = {"scipy, statsmodels": found}, {"scipy, statsmodels": seconds}
                call = COMPARED
            else:
                peers, times = decide_users(drawn, cuped="CUPED" in case)
                call = EXPERIMENT.format(cuped="CUPED" in case)
            names: list[str] = []
            late: list[tuple] = []
            for engine in WAYS:
                folder = folders[case.partition(",")[0]]
                answer = call_engine(engine, call, folder, address, 120)
                if "why" in answer:
                    late.append((case, engine, *[None] * 6, answer["why"]))
                    continue
                names = names or answer["names"]
                times[engine] = answer["seconds"]
                peers[engine] = [
                    _read(dict(zip(names, row, strict=True))) for row in answer["rows"]
                ]
            for tool, found in peers.items():
                for row in found:
                    rows.append((case, tool, *row.values(), times[tool], None))
                    click.echo(rows[-1])
            rows += late  # a tool to compare with is the first
    schema = ["case", "tool", "what", *ENDS, "seconds", "why"]
    pl.DataFrame(rows, schema, orient="row", infer_schema_length=None).write_csv(output)


def _read(row: dict) -> dict:
    p = row["p_corrected"]
    what = row["run_id"] if "run_id" in row else row["metric"]
    return {"metric": what, **{end: row[end] for end in ENDS[:3]}, "p": p}


@main.command()
@click.option("--rows", "number_of_rows", default=1_000_000, show_default=True)
@click.option("--limit", default=LIMIT, show_default=True)
@click.argument("analyses", nargs=-1)
def seconds(number_of_rows: int, limit: int, analyses: tuple[str, ...]) -> None:
    """Write the seconds of each analysis on each engine to decision_seconds.csv."""
    from engines import start_postgres

    from sqlmetrics.catalogue import list_analyses

    rows = pl.read_csv(SECONDS).rows() if SECONDS.exists() else []
    with tempfile.TemporaryDirectory() as place, start_postgres() as address:
        root = Path(place)
        root.chmod(0o755)
        for name, file in list_analyses().items():
            if analyses and name not in analyses:
                continue
            tables = {each: draw_table(each, number_of_rows) for each in file.inputs}
            folder = write_tables(root / name, **tables)
            for engine in TIMED_WAYS:
                call = f"{name}({', '.join([*file.inputs, *REQUIRED.get(name, [])])})"
                found = call_engine(engine, call, folder, address, limit)
                rows = [row for row in rows if row[:2] != (name, engine)]
                click.echo((name, engine, found.get("why", "")))
                taken = f"{found['seconds']:.2f}" if "seconds" in found else found["why"]
                rows.append((name, engine, "no" if taken.startswith("error") else taken))
            schema = ["analysis", "engine", "seconds"]
            pl.DataFrame(rows, schema, orient="row").write_csv(SECONDS)


def write_sections() -> list[str]:
    """The sections of README.md about decisions: their values and their seconds."""
    found = pl.read_csv(VALUES, infer_schema_length=None)
    parts = [DECIDED]
    for (case,), rows in found.group_by("case", maintain_order=True):
        first, peer = rows["what"][0], rows["tool"][0]
        lines = [
            f"### {case}",
            "",
            f"| {first} | {' | '.join(ENDS)} | relative difference from {peer} | seconds |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for (tool,), own in rows.group_by("tool", maintain_order=True):
            if own["why"][0]:
                lines.append(f"| {tool} | | | | | | {own['why'][0]} |")
                continue
            pairs = own.join(rows.filter(tool=peer), on="what", how="left", suffix="_peer")
            apart = max(
                ((pairs[end] - pairs[f"{end}_peer"]) / pairs[f"{end}_peer"]).abs().max()
                for end in ENDS
            )
            (shown,) = own.filter(what=first).rows(named=True)
            ends = " | ".join(f"{shown[end]:.12g}" for end in ENDS)
            lines.append(f"| {tool} | {ends} | {apart:.0e} | {shown['seconds']:.2f} |")
        parts.append("\n".join(lines) + "\n")
    taken = pl.read_csv(SECONDS, schema_overrides={"seconds": pl.String})
    cells = {(name, engine): seconds for name, engine, seconds in taken.rows()}
    lines = ["| | " + " | ".join(TIMED_WAYS) + " |", "|---|" + "--:|" * len(TIMED_WAYS)]
    for name in taken["analysis"].unique(maintain_order=True).sort():
        row = (cells.get((name, way), "") for way in TIMED_WAYS)
        lines.append(f"| `{name}` | " + " | ".join(row) + " |")
    return [*parts, TIMED, "\n".join(lines) + "\n"]


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "tools")]
    main()
