"""Time sqlmetrics beside other tools on the same Parquet files.

    python -m pip install -e . pytrec-eval-terrier ir-measures ranx
    python benchmarks/generate.py
    python benchmarks/compare.py

Every tool is a process of its own, from its start to the printed means of the same five metrics,
and is fed as a capable user would feed it: polars reads the files, and dictionaries are filled row
by row. Medians of several rounds that alternate between the tools; tools that are not installed are
left out. Beside the processes, the time within
one process: a bare scan of the three columns by DuckDB, five metrics, and fifty.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import duckdb
import typer

import sqlmetrics

FIVE = "nDCG@10 AP RR P@10 R@100"
FIFTY = " ".join(
    f"{name}@{k}"
    for name in ("nDCG", "AP", "RR", "P", "R", "F", "Success", "Judged", "RBP", "DCG")
    for k in (5, 10, 20, 100, 1000)
)

FEED = """
import polars as pl
run, qrels = {}, {}
for query, doc, score in pl.read_parquet("run.parquet").iter_rows():
    run.setdefault(query, {})[doc] = score
for query, doc, relevance in pl.read_parquet("qrels.parquet").iter_rows():
    qrels.setdefault(query, {})[doc] = relevance
"""

TOOLS = {
    "sqlmetrics": f"""
import sqlmetrics
print(sqlmetrics.evaluate("qrels.parquet", "run.parquet", "{FIVE}").mean.row(0)[1:])
""",
    "pytrec_eval": FEED
    + """
import pytrec_eval
measures = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
scores = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
names = ["ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100"]
print([sum(row[name] for row in scores.values()) / len(qrels) for name in names])
""",
    "ir_measures": FEED
    + f"""
import ir_measures
measures = [ir_measures.parse_measure(name) for name in "{FIVE}".split()]
means = ir_measures.calc_aggregate(measures, qrels, run)
print([means[measure] for measure in measures])
""",
    "ranx": FEED
    + """
import ranx
names = ["ndcg@10", "map", "mrr", "precision@10", "recall@100"]
scores = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names, make_comparable=True)
print([float(score) for score in scores.values()])
""",
}
PACKAGES = {"pytrec_eval": "pytrec-eval-terrier", "ir_measures": "ir-measures"}


def time_process(code: str, folder: Path) -> tuple[float, float, str]:
    """Seconds from start to end, peak memory in GB, and what was printed."""
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as process:
        printed = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"a tool failed:\n{code}")
    return seconds, usage.ru_maxrss / 1e6, printed.strip()


def time_within(folder: Path, rounds: int) -> dict[str, float]:
    """Median seconds within this process."""
    qrels, run = folder / "qrels.parquet", folder / "run.parquet"
    con = duckdb.connect()
    # more than the statistics of the file can answer
    scan = "SELECT sum(length(query_id)), sum(length(doc_id)), sum(score) FROM read_parquet(?)"
    steps = {
        "bare scan of the three columns": lambda: con.execute(scan, [str(run)]).fetchall(),
        "5 metrics": lambda: sqlmetrics.evaluate(qrels, run, FIVE),
        "50 metrics": lambda: sqlmetrics.evaluate(qrels, run, FIFTY),
    }
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            started = time.perf_counter()
            step()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(times) for name, times in seconds.items()}


def compare(folder: Path = Path("benchmarks/data"), rounds: int = 3) -> None:
    """Print a table of each part."""
    tools = {
        name: code for name, code in TOOLS.items() if importlib.util.find_spec(name) is not None
    }
    results: dict[str, list[tuple[float, float, str]]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, code in tools.items():
            results[name].append(time_process(code, folder))
    ours = statistics.median(seconds for seconds, _, _ in results["sqlmetrics"])
    print("| process, start to printed means | version | seconds | times ours | GB | means |")
    print("|---|---|---|---|---|---|")
    for name, measured in results.items():
        seconds = statistics.median(s for s, _, _ in measured)
        memory = max(m for _, m, _ in measured)
        means = ", ".join(
            f"{float(value):.6f}" for value in json.loads("[" + measured[0][2].strip("[]()") + "]")
        )
        print(
            f"| {name} | {version(PACKAGES.get(name, name))} | {seconds:.2f} "
            f"| {seconds / ours:.1f} | {memory:.1f} | {means} |"
        )
    within = time_within(folder, rounds)
    five = within["5 metrics"]
    print(f"\n| within a process, duckdb {duckdb.__version__} | seconds | times 5 metrics |")
    print("|---|---|---|")
    for name, seconds in within.items():
        print(f"| {name} | {seconds:.2f} | {seconds / five:.2f} |")


if __name__ == "__main__":
    typer.run(compare)
