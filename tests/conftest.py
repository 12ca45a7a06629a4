"""What tests share: the repository, and small judgments and runs as frames."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

ROOT = Path(__file__).parent.parent


def make_qrels(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")


def make_run(rows: Iterable[tuple[str, str, float]]) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(list(rows), schema, orient="row")
