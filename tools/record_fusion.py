"""Record how ranx fuses the runs of tests/test_fusion.py, in tests/recorded/ranx_fusion.parquet.

python -m pip install ranx==0.3.21
python tools/record_fusion.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import ranx
from ranx import fusion

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))
import test_fusion as cases  # noqa: E402

FILE = TESTS / "recorded" / "ranx_fusion.parquet"
SEEDS = 10
COLUMNS = ["seed", "method", "normalization", "query_id", "doc_id", "score"]
Rows = Iterator[tuple[int, str, str, str, str, float]]


def list_rows(seed: int) -> Rows:
    """What ranx gives each document, by each method and normalization."""
    runs = cases.draw_runs(seed)
    weights = [*cases.draw_weights(seed, runs).values()]
    for method, normalization in cases.list_wanted(runs):
        name, options, _ = cases.IN_RANX[method]
        called = "map_scores" if name == "mapfuse" else "weights"
        weighted = {called: weights} if cases.is_weighted_in_ranx(method) else {}
        norm = cases.NORMALIZATIONS_IN_RANX[normalization]
        fused = ranx.fuse(make_runs(runs), norm=norm, method=name, params={**options, **weighted})
        yield from _name(fused, seed, method, normalization)


def list_learned_rows(seed: int) -> Rows:
    """The same by methods that learn from judgments."""
    runs, training, qrels = cases.draw_trained(seed)
    judged = ranx.Qrels(qrels)
    for method, (name, trained, options, _) in cases.LEARNED_IN_RANX.items():
        learned = getattr(fusion, f"{method}_train")(judged, make_runs(training), **trained)
        norm = "min-max" if method == "segfuse" else None
        params = {name: learned, **options}
        fused = ranx.fuse(make_runs(runs), norm=norm, method=method, params=params)
        yield from _name(fused, seed, method, "learned")


def make_runs(runs: dict[str, dict[str, dict[str, float]]]) -> list[ranx.Run]:
    """The runs for ranx, which keeps the order of tied documents: descending, as ours."""
    return [
        ranx.Run(
            {
                query: dict(sorted(scores.items(), key=lambda item: item[::-1], reverse=True))
                for query, scores in run.items()
            }
        )
        for run in runs.values()
    ]


def _name(fused: ranx.Run, seed: int, method: str, normalization: str) -> Rows:
    for query, docs in fused.run.items():
        for doc, score in docs.items():
            yield seed, method, normalization, query, doc, score


if __name__ == "__main__":
    rows = [row for seed in range(SEEDS) for row in list_rows(seed)]
    rows += [row for seed in (*range(SEEDS), cases.LONG) for row in list_learned_rows(seed)]
    pl.DataFrame(rows, COLUMNS, orient="row").write_parquet(FILE, compression_level=19)
