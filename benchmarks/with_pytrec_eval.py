"""The five metrics by pytrec_eval, fed by polars, or by its own readers of TREC text."""

import sys
from pathlib import Path

import polars as pl
import pytrec_eval

NAMES = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")


def read(folder: str, variant: str) -> tuple[dict, list[dict]]:
    """Judgments, and every run."""
    if variant == "txt":
        with Path(folder, "qrels.txt").open() as qrels, Path(folder, "run.txt").open() as run:
            return pytrec_eval.parse_qrel(qrels), [pytrec_eval.parse_run(run)]
    qrels: dict = {}
    for query, doc, relevance in pl.read_parquet(f"{folder}/qrels.parquet").iter_rows():
        qrels.setdefault(query, {})[doc] = relevance
    runs: dict = {}
    for *run, query, doc, value in pl.read_parquet(f"{folder}/run.parquet").iter_rows():
        runs.setdefault(tuple(run), {}).setdefault(query, {})[doc] = value
    return qrels, [runs[name] for name in sorted(runs)]


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    qrels, runs = read(folder, variant)
    measures = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
    first, *_ = [evaluator.evaluate(run) for run in runs]
    return [sum(row[name] for row in first.values()) / len(qrels) for name in NAMES]


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
