"""Run sqlmetrics and other tools on the same files, and record time and memory.

    python -m pip install -e '.[benchmarks]'
    python benchmarks/compare.py tiny few passages text track recommender runs
    python benchmarks/report.py

Missing data sets are generated. Every tool is a program with_….py in this folder and runs in its
own process, from its start to the printed means; most are also timed in a process that has run
them before, in which ranx is compiled. Some have the run in memory as dicts or frames, and only
their calls are timed. Rounds alternate between the tools, of which ranx is slow and run in the
first only; results.csv keeps the medians.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click
import duckdb
import polars as pl
from generate import DATA, SHAPES, generate
from rich.progress import track

HERE = Path(__file__).parent
RESULTS = HERE / "results.csv"


@dataclass(frozen=True)
class Tool:
    """A program in this folder, the package that it measures, and its arguments.

    ``in_memory``: it holds the whole run; ``quick``: it is also timed within a process; ``exact``:
    its means are those of trec_eval; ``once``: it is slow, and run in the first round only;
    ``held``: only calls are timed that score what is in memory.
    """

    program: str
    package: str
    variant: str = "parquet"
    in_memory: bool = False
    quick: bool = False
    exact: bool = True
    once: bool = False
    held: bool = False

    def list_arguments(self, folder: Path, form: str) -> list[str]:
        variant = self.variant.replace("parquet", form)
        return [str(HERE / f"with_{self.program}.py"), str(folder), variant]


TOOLS = {
    "import of duckdb and polars": Tool("nothing", "duckdb", exact=False),
    "bare scan by DuckDB": Tool("scan", "duckdb", quick=True, exact=False),
    "sqlmetrics": Tool("sqlmetrics", "sqlmetrics", quick=True),
    "sqlmetrics, all its metrics": Tool("sqlmetrics", "sqlmetrics", "all parquet", quick=True),
    "polars, by sorting": Tool("polars", "polars", in_memory=True, quick=True),
    "polars, by counting": Tool("polars", "polars", "counting", in_memory=True, quick=True),
    "polars, ties as they come": Tool(
        "polars", "polars", "any", in_memory=True, quick=True, exact=False
    ),
    "pytrec_eval": Tool("pytrec_eval", "pytrec-eval-terrier", in_memory=True, quick=True),
    "ir_measures": Tool("ir_measures", "ir-measures", in_memory=True, quick=True),
    "ranx": Tool("ranx", "ranx", in_memory=True, quick=True, exact=False, once=True),
    "sqlmetrics, dicts": Tool("sqlmetrics", "sqlmetrics", "dicts", held=True),
    "pytrec_eval, dicts": Tool("pytrec_eval", "pytrec-eval-terrier", "dicts", held=True),
    "sqlmetrics, frames": Tool("sqlmetrics", "sqlmetrics", "frames", held=True),
    "sqlmetrics, frames, judgments kept": Tool("sqlmetrics", "sqlmetrics", "kept", held=True),
    "polars, by sorting, frames": Tool("polars", "polars", "sorting", held=True),
}
MOST_ROWS = 20_000_000  # for tools that hold the run in memory
WITHIN = """
import sys, time
from {program} import {function}
call = {call}
call()
seconds = []
while sum(seconds) < .5:
    started = time.perf_counter()
    means = call()
    seconds.append(time.perf_counter() - started)
print(means)
print(sorted(seconds)[len(seconds) // 2])
"""


def list_tools(shape: str, rows: int) -> list[str]:
    """The tools that are run on a shape."""
    if shape == "text":
        return ["sqlmetrics", "pytrec_eval"]
    names = [name for name in TOOLS if rows <= MOST_ROWS or not TOOLS[name].in_memory]
    if shape not in ("tiny", "few", "small"):
        names = [name for name in names if not TOOLS[name].held]
    if shape not in ("tiny", "track", "passages"):  # it takes minutes on some
        names.remove("sqlmetrics, all its metrics")
    if shape != "tiny":
        names.remove("import of duckdb and polars")
    return names


# A process counts the memory of its parent as its own, so a small process starts the tools.
STARTER = """
import os, subprocess, sys, time
started = time.perf_counter()
process = subprocess.Popen([sys.executable, *sys.argv[1:]])
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def time_process(arguments: list[str]) -> tuple[float, float, float, str]:
    """Seconds from start to end, those of all cores, peak memory in GB, and what was printed."""
    command = [sys.executable, "-S", "-c", STARTER, *arguments]
    compiled = {"PYTHONDONTWRITEBYTECODE": ""}  # as installed packages are; in the first round
    environment = os.environ | compiled
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(arguments)}\n{done.stderr}")
    *printed, measured = done.stdout.strip().splitlines()
    seconds, cpu_seconds, memory = map(float, measured.split())
    return seconds, cpu_seconds, memory, "\n".join(printed)


def time_within(arguments: list[str], *, held: bool = False) -> tuple[float, str]:
    """Seconds of a later call in a process, the median of half a second, and its means."""
    program, *rest = arguments
    function, call = (
        ("hold", "hold(*sys.argv[1:])") if held else ("score", "lambda: score(*sys.argv[1:])")
    )
    code = f"import sys; sys.path.insert(0, {str(HERE)!r})" + WITHIN.format(
        program=Path(program).stem, function=function, call=call
    )
    *_, printed = time_process(["-c", code, *rest])
    means, seconds = printed.splitlines()
    return float(seconds), means


def write_text(folder: Path) -> None:
    """The files of a folder as TREC text."""
    con = duckdb.connect()
    for name, columns in (
        ("run", "query_id, 'Q0', doc_id, 1, score, 'tag'"),
        ("qrels", "query_id, 0, doc_id, relevance"),
    ):
        rows, text = folder / f"{name}.parquet", folder / f"{name}.txt"
        if not text.exists():
            options = "FORMAT csv, HEADER false, DELIMITER ' '"
            con.execute(f"COPY (SELECT {columns} FROM '{rows}') TO '{text}' ({options})")


def compare_tools(
    shape: str, folder: Path, rounds: int, only: tuple[str, ...] = ()
) -> pl.DataFrame:
    """Medians, a row per tool and way of measuring."""
    form = "txt" if shape == "text" else "parquet"
    ((rows,),) = duckdb.execute(f"SELECT count(*) FROM '{folder}/run.parquet'").fetchall()
    processes: dict[str, list[tuple[float, float, float]]] = {}
    calls: dict[str, list[float]] = {}
    means: dict[str, str] = {}
    exact = None
    names = [name for name in list_tools(shape, rows) if not only or name in only]
    steps = [
        (number, name)
        for number in range(rounds)
        for name in names
        if number == 0 or not TOOLS[name].once
    ]
    for _, name in track(steps, description=shape):
        arguments = TOOLS[name].list_arguments(folder, form)
        tool = TOOLS[name]
        if tool.held or (tool.quick and rows <= MOST_ROWS):
            seconds, printed = time_within(arguments, held=tool.held)
            calls.setdefault(name, []).append(seconds)
        if not tool.held:
            *measured, printed = time_process(arguments)
            processes.setdefault(name, []).append(measured)
        means[name] = ", ".join(f"{float(mean):.6f}" for mean in printed[1:-1].split(","))
        if tool.exact and (exact := exact or means[name]) != means[name]:
            raise SystemExit(f"{name} has other means on {shape}: {means[name]}, not {exact}")

    def describe(name: str, measured: str, seconds: Iterable[float]) -> dict[str, object]:
        median = round(statistics.median(seconds), 4 if TOOLS[name].held else 3)
        return {
            "shape": shape,
            "tool": name,
            "measured": measured,
            "version": version(TOOLS[name].package),
            "rows": rows,
            "seconds": median,
            "cpu_seconds": None,
            "gigabytes": None,
            "means": means[name],
        }

    found = []
    for name, measured in processes.items():
        wall, cpu, memory = zip(*measured, strict=True)
        used = {"cpu_seconds": round(statistics.median(cpu), 3), "gigabytes": round(max(memory), 2)}
        found.append(describe(name, "process", wall) | used)
    found += [describe(name, "within", wall) for name, wall in calls.items()]
    machine = (
        f"Python {platform.python_version()}, DuckDB {duckdb.__version__}, {os.cpu_count()} cores"
    )
    return pl.DataFrame(found).with_columns(machine=pl.lit(machine))


@click.command()
@click.argument("shapes", nargs=-1, required=True, type=click.Choice([*SHAPES, "text"]))
@click.option("--rounds", default=3, help="Number of times each tool is run.")
@click.option("--folder", type=Path, default=DATA, help="Folder of the data sets.")
@click.option("--tool", "only", multiple=True, type=click.Choice(list(TOOLS)), help="Only these.")
def main(shapes: tuple[str, ...], rounds: int, folder: Path, only: tuple[str, ...]) -> None:
    """Measure, and replace the rows of these shapes and tools in results.csv."""
    for shape in shapes:
        name = "passages" if shape == "text" else shape
        generate(SHAPES[name], folder / name)
        if shape == "text":
            write_text(folder / name)
        found = compare_tools(shape, folder / name, rounds, only)
        print(found.drop("machine", "version", "means"))
        if RESULTS.exists():
            # where CPU seconds were not measured in any row yet, they would be read as text
            before = pl.read_csv(RESULTS, schema_overrides={"cpu_seconds": pl.Float64})
            measured = found["tool"].unique().implode()
            replaced = pl.col("shape") == shape
            if only:
                replaced &= pl.col("tool").is_in(measured)
            found = pl.concat([before.remove(replaced), found], how="vertical_relaxed")
        found.write_csv(RESULTS)


if __name__ == "__main__":
    main()
