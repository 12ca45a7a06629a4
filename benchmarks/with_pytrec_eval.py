"""The five metrics by pytrec_eval, fed by polars list by list, or by its readers of TREC text."""

import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytrec_eval

NAMES = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")


def read(folder: str, variant: str) -> tuple[dict, list[dict]]:
    """Judgments, and every run."""
    if variant == "txt":
        with Path(folder, "qrels.txt").open() as qrels, Path(folder, "run.txt").open() as run:
            return pytrec_eval.parse_qrel(qrels), [pytrec_eval.parse_run(run)]
    (qrels,) = read_lists(f"{folder}/qrels.parquet", "relevance")
    return qrels, read_lists(f"{folder}/run.parquet", "score")


def read_lists(path: str, value: str) -> list[dict]:
    """The documents of each query with their values, of every run."""
    rows = pl.read_parquet(path)
    names = ["run_id"] if "run_id" in rows.columns else []
    lists = rows.group_by(*names, "query_id", maintain_order=True).agg("doc_id", value)
    runs: dict = {}
    keys = lists.select(*names, "query_id").iter_rows()
    for (*run, query), docs, values in zip(keys, lists["doc_id"], lists[value], strict=True):
        pairs = zip(docs.to_list(), values.to_list(), strict=True)
        runs.setdefault(tuple(run), {})[query] = dict(pairs)
    return [runs[name] for name in sorted(runs)]


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    return evaluate(*read(folder, variant))


def hold(folder: str, _: str) -> Callable[[], list[float]]:
    """A call that scores dicts in memory."""
    qrels, runs = read(folder, "parquet")
    return lambda: evaluate(qrels, runs)


def evaluate(qrels: dict, runs: list[dict]) -> list[float]:
    """The means of the first run, of judgments and runs that are read."""
    measures = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
    first, *_ = [evaluator.evaluate(run) for run in runs]
    return [sum(row[name] for row in first.values()) / len(qrels) for name in NAMES]


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
