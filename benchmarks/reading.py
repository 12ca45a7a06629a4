"""Time reading and scoring the same run in every form beside the readers of other tools.

    python -m pip install -e . pytrec-eval-terrier ir-measures
    python benchmarks/generate.py
    python benchmarks/reading.py

Every line is a process of its own, from its start to the printed figure; "reads" stops once the run
is in memory, as the peers hold it. Frames and dictionaries are loaded before the clock starts.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import duckdb
import typer
from compare import FIVE, time_process

FORMS = ("parquet", "csv", "jsonl", "txt", "csv.gz", "txt.gz")
OURS = """
import sqlmetrics
print(sqlmetrics.evaluate("qrels.parquet", {run!r}, "{five}").mean["RR"][0], 0)
"""
LOADED = """
import time, polars, sqlmetrics
run = polars.read_parquet("run.parquet")
{load}
started = time.perf_counter()
mean = sqlmetrics.evaluate("qrels.parquet", run, "{five}").mean
print(mean["RR"][0], time.perf_counter() - started)
"""
DICT = """
rows, run = run, {}
for query, doc, score in rows.iter_rows():
    run.setdefault(query, {})[doc] = score
"""
OPEN = {"txt": "open('run.txt')", "txt.gz": "gzip.open('run.txt.gz', 'rt')"}
PYTREC_EVAL = """
import gzip, pytrec_eval
run = pytrec_eval.parse_run({file})
"""
PYTREC_EVAL_SCORES = """
qrels = pytrec_eval.parse_qrel(open("qrels.txt"))
measures = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
scores = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
print(sum(row["recip_rank"] for row in scores.values()) / len(qrels), 0)
"""
IR_MEASURES = """
import ir_measures
run = list(ir_measures.read_trec_run({file!r}))
"""
IR_MEASURES_SCORES = """
qrels = ir_measures.read_trec_qrels("qrels.txt")
measures = [ir_measures.parse_measure(name) for name in "{five}".split()]
print(ir_measures.calc_aggregate(measures, qrels, run)[ir_measures.RR], 0)
"""
READS = "print(len(run), 0)"


def list_programs() -> dict[str, str]:
    programs = {f"sqlmetrics, {form}": OURS.format(run=f"run.{form}", five=FIVE) for form in FORMS}
    programs["sqlmetrics, polars frame"] = LOADED.format(load="", five=FIVE)
    programs["sqlmetrics, dict of dicts"] = LOADED.format(load=DICT, five=FIVE)
    for form, file in OPEN.items():
        reads = PYTREC_EVAL.format(file=file)
        programs[f"pytrec_eval, {form}"] = reads + PYTREC_EVAL_SCORES
        programs[f"pytrec_eval reads {form}"] = reads + READS
        reads = IR_MEASURES.format(file=f"run.{form}")
        programs[f"ir_measures, {form}"] = reads + IR_MEASURES_SCORES.format(five=FIVE)
        programs[f"ir_measures reads {form}"] = reads + READS
    return programs


def write_forms(folder: Path) -> None:
    """The run and the judgments of generate.py in the other forms."""
    con = duckdb.connect()
    run, qrels = (f"read_parquet('{folder / name}.parquet')" for name in ("run", "qrels"))
    trec = f"SELECT query_id, 'Q0', doc_id, 1, score, 'tag' FROM {run}"
    judged = f"SELECT query_id, 0, doc_id, relevance FROM {qrels}"
    text = "FORMAT csv, HEADER false, DELIMITER ' '"
    for query, name, options in (
        (f"FROM {run}", "run.csv", "FORMAT csv"),
        (f"FROM {run}", "run.csv.gz", "FORMAT csv, COMPRESSION gzip"),
        (f"FROM {run}", "run.jsonl", "FORMAT json"),
        (trec, "run.txt", text),
        (trec, "run.txt.gz", f"{text}, COMPRESSION gzip"),
        (judged, "qrels.txt", text),
    ):
        if not (folder / name).exists():
            con.execute(f"COPY ({query}) TO '{folder / name}' ({options})")


def compare(folder: Path = Path("benchmarks/data"), rounds: int = 3) -> None:
    """Print a table."""
    write_forms(folder)
    measured: dict[str, list[tuple[float, float]]] = {name: [] for name in list_programs()}
    for _ in range(rounds):
        for name, program in list_programs().items():
            seconds, memory, printed = time_process(program, folder)
            measured[name].append((float(printed.split()[1]) or seconds, memory))
    ours = statistics.median(seconds for seconds, _ in measured["sqlmetrics, txt"])
    print("| | seconds | times ours of TREC text | GB |\n|---|---|---|---|")
    for name, rows in measured.items():
        seconds = statistics.median(seconds for seconds, _ in rows)
        memory = max(memory for _, memory in rows)
        print(f"| {name} | {seconds:.2f} | {seconds / ours:.2f} | {memory:.1f} |")


if __name__ == "__main__":
    typer.run(compare)
