"""The five metrics by ranx, fed by data frames, as it prefers."""

import sys

import polars as pl
import ranx

NAMES = ["ndcg@10", "map", "mrr", "precision@10", "recall@100"]


def score(folder: str, variant: str = "parquet") -> list[float]:
    """The means of the first run."""
    keys = {"q_id_col": "query_id", "doc_id_col": "doc_id"}
    texts = {"query_id": object, "doc_id": object}
    qrels = pl.read_parquet(f"{folder}/qrels.{variant}").to_pandas().astype(texts)
    judgments = ranx.Qrels.from_df(qrels.astype({"relevance": int}), score_col="relevance", **keys)
    rows = pl.read_parquet(f"{folder}/run.{variant}")
    runs = rows.partition_by("run_id", include_key=False) if "run_id" in rows.columns else [rows]
    first, *_ = [
        ranx.evaluate(
            judgments,
            ranx.Run.from_df(run.to_pandas().astype(texts), score_col="score", **keys),
            NAMES,
            make_comparable=True,
        )
        for run in runs
    ]
    return [float(first[name]) for name in NAMES]


if __name__ == "__main__":
    print(score(*sys.argv[1:]))
