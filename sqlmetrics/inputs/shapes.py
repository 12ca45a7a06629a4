"""Shapes: judgments and runs whose documents have no ids, but are rows or places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ..errors import InputError
from .columns import SCORED
from .data import expand_home
from .lists import has_form, is_list, is_list_of_lists
from .reader import Reader
from .source import reading
from .tables import read_table


def arrange(reader: Any, qrels: Any, run: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Judgments and runs with ids of documents; others as they are.

    Without a run, judgments have a row per document, with its relevance and score, or the grades of
    each query's documents in the order of the ranking. Lines of LETOR, ``2 qid:1 …``, have runs
    with a score for each line. Documents are known by their rows or places.
    """
    if run is not None:
        lines = _read_letor(qrels) if isinstance(reader, Reader) else None
        return (qrels, run) if lines is None else (lines, _place_scores(run, lines))
    lists = dict(enumerate(qrels, start=1)) if is_list_of_lists(qrels) else qrels
    if has_form(lists, r"\{ \[( [bfi]+)?"):
        reader.notes.append("the judgments are grades in the order of the ranking")
        graded = {key: dict(enumerate(grades, start=1)) for key, grades in lists.items()}
        return graded, {key: {place: -place for place in each} for key, each in graded.items()}
    try:
        table = read_table(reader.open_here(), qrels, SCORED)
    except InputError:
        what = "run= (RUN), or one table with query_id, relevance and score"
        raise InputError(f"no run to score: give {what}") from None
    frame = table.frame
    if "run_id" in frame.columns and frame["run_id"].n_unique() > 1:
        raise InputError(f"{table.name} has several runs; give the rows of one")
    if "doc_id" not in frame.columns:
        frame = frame.with_row_index("doc_id", offset=1)
        reader.notes.append(f"{table.name}: each row is a document")
    rows = frame.select("query_id", "doc_id", "relevance", "score")
    return rows.drop("score"), rows.drop("relevance")


_LINE = r"^\s*(?<relevance>\S+)\s+qid:(?<query_id>\S+)"


def _read_letor(data: Any) -> pl.DataFrame | None:  # noqa: ANN401
    """The judgments of lines of LETOR, whose documents have their numbers."""
    text = _read_text(data)
    if text is None or "qid:" not in text[:200]:
        return None
    lines = pl.DataFrame({"line": text.splitlines()}).with_row_index("number", offset=1)
    lines = lines.filter(pl.col("line").str.contains(r"^\s*[^#\s]"))
    rows = lines.select("number", pl.col("line").str.extract_groups(_LINE)).unnest("line")
    for number, line in lines.filter(rows["query_id"].is_null()).head(1).iter_rows():
        raise InputError(f"{data} line {number} is not of the form '2 qid:1 …': {line[:60]!r}")
    return rows.select(
        "query_id",
        pl.int_range(1, pl.len() + 1).cast(pl.String).alias("doc_id"),
        pl.col("relevance").cast(pl.Float64, strict=False),
    )


def _place_scores(data: Any, judgments: pl.DataFrame) -> Any:  # noqa: ANN401
    """Runs with the score of each line of judgments; others as they are."""
    if isinstance(data, Mapping):
        return {name: _place_scores(each, judgments) for name, each in data.items()}
    text = _read_text(data)
    scores = data if text is None else text.split()
    if text is None and not has_form(data, r"\[ [bfi]+"):
        return [_place_scores(each, judgments) for each in data] if is_list(type(data)) else data
    name = data if isinstance(data, str | Path) else "the list"
    if len(scores) != judgments.height:
        raise InputError(
            f"{name}: {len(scores)} scores for {judgments.height} lines of judgments; give one for "
            "each, in the same order"
        )
    values = pl.Series("score", [*scores], strict=False).cast(pl.Float64, strict=False)
    for row in values.is_null().arg_true().head(1):
        raise InputError(f"{name} line {row + 1}: score {scores[row]!r} is not a number")
    return judgments.select("query_id", "doc_id").with_columns(values)


def _read_text(data: Any) -> str | None:  # noqa: ANN401
    """The text of a file of lines of LETOR, or of numbers."""
    if not isinstance(data, str | Path) or not (path := expand_home(data)).is_file():
        return None
    with path.open("rb") as file:
        head = file.read(200)
    is_known = re.match(rb"\s*[-+.\deE]+(\s+qid:|\s*\n\s*\S+\s*(\n|$))", head)
    with reading(str(data)):
        return path.read_text("utf-8") if is_known else None
