"""The five metrics by sqlmetrics; with the variant "all", all its metrics."""

import sys
from collections.abc import Callable

import polars as pl

import sqlmetrics

FIVE = "nDCG@10 AP RR P@10 R@100"


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    form = variant.removeprefix("all ")
    metrics = FIVE if form == variant else f"{FIVE} {list_all()}"
    mean = sqlmetrics.evaluate(f"{folder}/qrels.{form}", f"{folder}/run.{form}", metrics).mean
    return list(mean.select(FIVE.split()).row(0))


def hold(folder: str, variant: str) -> Callable[[], list[float]]:
    """A call that scores a run in memory: dicts, a frame, or a frame with its judgments kept."""
    if variant == "dicts":
        from with_pytrec_eval import read

        given, (run,) = read(folder, "parquet")
    else:
        given, run = (pl.read_parquet(f"{folder}/{name}.parquet") for name in ("qrels", "run"))
    qrels = sqlmetrics.Judgments(given) if variant == "kept" else given

    def call() -> list[float]:
        return list(sqlmetrics.evaluate(qrels, run, FIVE).mean.select(FIVE.split()).row(0))

    return call


def list_all() -> str:
    """Every metric of `evaluate` once, over the whole ranking where it can be."""
    names = []
    metrics = sqlmetrics.metrics().filter(pl.col("kind") == "runs")
    for forms, parameters in metrics.select("name", "parameters").iter_rows():
        name = next((form for form in forms.split(", ") if "@" not in form), forms)
        told = "(corpus_size=10000000)" if "corpus_size" in parameters else ""
        names.append(name.replace("@recall", "@0.5") + told)
    return " ".join(names)


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
