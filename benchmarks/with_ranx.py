"""The five metrics by ranx, fed by polars."""

import sys

import ranx
from with_pytrec_eval import read

NAMES = ["ndcg@10", "map", "mrr", "precision@10", "recall@100"]


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    qrels, runs = read(folder, variant)
    judgments = ranx.Qrels(qrels)
    first, *_ = [
        ranx.evaluate(judgments, ranx.Run(run), NAMES, make_comparable=True) for run in runs
    ]
    return [float(first[name]) for name in NAMES]


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
