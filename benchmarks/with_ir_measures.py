"""The five metrics by ir_measures, fed by polars; judgments are prepared once for all runs."""

import sys

import ir_measures
from with_pytrec_eval import read

MEASURES = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR", "P@10", "R@100")]


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    qrels, runs = read(folder, variant)
    evaluator = ir_measures.evaluator(MEASURES, qrels)
    first, *_ = [evaluator.calc_aggregate(run) for run in runs]
    return [first[measure] for measure in MEASURES]


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
