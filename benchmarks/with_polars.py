"""The five metrics as someone who knows polars would write them.

Documents of the same score are ordered by document id, as in trec_eval. The variant "counting" does
not sort: it counts the documents above each of the judged ones, which are few. With "any" those of
the same score stay in their order, which is faster and gives slightly different scores.
"""

import sys
from collections.abc import Callable

import polars as pl


def count_ranks(run: pl.LazyFrame, qrels: pl.LazyFrame, lists: list[str]) -> pl.DataFrame:
    """The ranks of the judged documents, as numbers of documents that are not below them."""
    keys = [*lists, "doc_id"]
    judged = run.join(qrels, on=keys).select(*keys, "score").collect()
    score, theirs = pl.col("score"), pl.col("score_judged")
    is_before = (score > theirs) | (pl.col("doc_id") >= pl.col("doc_id_judged"))
    return (
        run.join(judged.lazy(), on=lists, suffix="_judged")
        .filter(score >= theirs)
        .group_by(*lists, "doc_id_judged")
        .agg(rank=is_before.sum())
        .rename({"doc_id_judged": "doc_id"})
        .collect(engine="streaming")
    )


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    qrels, run = (pl.scan_parquet(f"{folder}/{name}.parquet") for name in ("qrels", "run"))
    return evaluate(qrels, run, variant)


def hold(folder: str, variant: str) -> Callable[[], list[float]]:
    """A call that scores frames in memory."""
    qrels, run = (pl.read_parquet(f"{folder}/{name}.parquet") for name in ("qrels", "run"))
    return lambda: evaluate(qrels.lazy(), run.lazy(), variant)


def evaluate(qrels: pl.LazyFrame, run: pl.LazyFrame, variant: str) -> list[float]:
    """The means of the first run, of judgments and runs that are read."""
    lists = ["query_id"]
    if "run_id" in run.collect_schema():
        lists.append("run_id")
        qrels = qrels.join(run.select("run_id").unique(), how="cross")
    rank = pl.lit(None)
    if variant == "any":
        rank = pl.col("score").rank("ordinal", descending=True).over(lists)
    elif variant != "counting":
        order = [*lists, "score", "doc_id"]
        run = run.sort(order, descending=[column not in lists for column in order])
        rank = pl.int_range(1, pl.len() + 1).over(lists)
    keys = [*lists, "doc_id"]
    if variant == "counting":
        judged = qrels.collect().join(count_ranks(run, qrels, lists), on=keys, how="left")
    else:
        judged = qrels.join(run.with_columns(rank=rank), on=keys, how="left").collect()

    rank, gain = pl.col("rank"), pl.col("relevance").clip(0)
    ideal = pl.col("ideal_rank")
    found = (pl.col("relevance") >= 1) & rank.is_not_null()
    num_rel = (pl.col("relevance") >= 1).sum()
    scores = (
        judged.sort("rank")
        .with_columns(
            hits=found.cum_sum().over(lists),
            ideal_rank=gain.rank("ordinal", descending=True).over(lists),
        )
        .group_by(lists)
        .agg(
            ndcg=(gain / (rank + 1).log(2)).filter(rank <= 10).sum()
            / (gain / (ideal + 1).log(2)).filter(ideal <= 10).sum(),
            ap=(pl.col("hits") / rank).filter(found).sum() / num_rel,
            rr=(1 / rank).filter(found).max().fill_null(0),
            p=(found & (rank <= 10)).sum() / 10,
            recall=(found & (rank <= 100)).sum() / num_rel,
        )
        .fill_nan(0)
    )
    if len(lists) > 1:
        scores = scores.filter(pl.col("run_id") == pl.col("run_id").min()).drop("run_id")
    return list(scores.drop("query_id").mean().row(0))


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
