"""Shapes: judgments and runs whose documents have no ids, but are rows or places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from ..errors import InputError
from .columns import QRELS, RUN, SCORED, tell_lists
from .data import Cell, expand_home
from .lists import are_grades, has_form, is_by_place, is_list, is_list_of_lists
from .reader import Reader
from .responses import hold_responses
from .source import reading
from .tables import Table, read_table


def arrange(reader: Any, qrels: Any, run: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Judgments and runs with ids of documents; others as they are.

    Without a run, one table has both, or a row per document with its relevance and score, or the
    grades of each query's documents in the order of the ranking. Lines of LETOR, ``2 qid:1 …``,
    have runs with a score for each line. Documents are known by their rows or places.
    """
    judged = qrels if is_list(type(qrels)) else getattr(qrels, "data", qrels)  # as read once
    if has_form(judged, _NUMBERS) and (run is None or has_form(run, _NUMBERS)):
        raise InputError(
            "a list of numbers lacks the queries; if all are of one query, give [labels] and "
            "[scores], which are lists for each query; else a frame with query_id, label and score"
        )
    if run is not None:
        is_here = isinstance(reader, Reader)
        lines = _match_lines(qrels, _LETOR, "2 qid:1 …") if is_here else None
        if is_by_place(run) and has_form(qrels, r"\[ [ai]+"):  # one document for each query
            judged = qrels = [[each] for each in qrels]
        if is_by_place(judged) or is_by_place(run):
            run = _place_run(judged, run)
            if is_list_of_lists(qrels) and has_form(run, rf"([\[{{] )?\{{ \{{ {_SCORES}"):
                qrels = _number(qrels)
        if lines is None:
            return qrels, run
        lines = lines.with_row_index("doc_id", offset=1)
        return lines, _place_scores(run, lines)
    is_once = isinstance(qrels, Iterator) and not hasattr(qrels, "read")
    here, data = reader.open_here(), [*qrels] if is_once else qrels
    if are_grades(lists := dict(enumerate(data, 1)) if is_list_of_lists(data) else data):
        return _rank_grades(here, lists)
    problem, table, found = "", None, list[Any]()
    try:
        found += (each.read for kind in (QRELS, RUN) for each in here.find(data, kind))
    except InputError as error:
        problem = f"no run to score: give run= (RUN), or one table of both; {error}"
    with suppress(InputError):
        if problem or isinstance(found[0].get("doc_id"), Cell):
            table = read_table(here, data, SCORED)
    # labels and scores may have names of lists, which a query has once
    are_rows = table and (problem or table.frame["query_id"].is_duplicated().any())
    if table and are_rows and (read := _take_rows(here, table)):
        return read
    if problem:
        raise InputError(problem)
    return data, data


def _place_run(judged: Any, run: Any) -> Any:  # noqa: ANN401
    """A run, or several, with the places of the queries as ids, as judgments in lists have them."""
    if hold_responses([run]):
        return {**run, "query_ids": [*range(1, len(judged) + 1)]}
    if isinstance(run, Mapping):
        return {name: _place_run(judged, each) for name, each in run.items()}
    if has_form(run, r"\[ \[ \[.*"):
        return [_place_run(judged, each) for each in run]
    is_placed = is_by_place(judged)
    if is_placed and has_form(run, rf"\[ \[ {_SCORES}"):  # as of scikit-learn
        if [*map(len, judged)] != [*map(len, run)]:
            raise InputError("give as many scores for each query as grades")
        return _number(run)
    if is_placed and (is_by_place(run) or (isinstance(run, list) and hold_responses(run))):
        return dict(enumerate(run, start=1))
    raise InputError(
        "judgments and run are both {query_id: [doc_id, …]}, such as dict(zip(query_ids, lists)), "
        "or both lists in the same order of queries"
    )


def _number(lists: Any) -> dict[Any, dict[int, Any]]:  # noqa: ANN401
    """The values of lists by their places, from 1."""
    pairs = lists.items() if isinstance(lists, Mapping) else enumerate(lists, start=1)
    return {key: dict(enumerate(values, start=1)) for key, values in pairs}


def _rank_grades(reader: Reader, lists: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Judgments and a run of the grades of each query's documents, the best first."""
    reader.notes.append("the judgments are grades in the order of the ranking")
    graded = _number(lists)
    return graded, {key: {place: -place for place in each} for key, each in graded.items()}


def _take_rows(reader: Reader, table: Table) -> tuple[Any, Any] | None:
    """A table whose rows are documents with scores, or hold the grades of those of a query."""
    name, frame = table.name, table.frame
    if "rank" in frame.columns and "score" not in frame.columns:
        frame = frame.with_columns(score=-pl.col("rank"))
    if "score" in frame.columns:
        if "run_id" in frame.columns and frame["run_id"].n_unique() > 1:
            raise InputError(f"{name} has several runs; give the rows of one")
        reader.notes.append(f"{name}: each row is a document")
        rows = frame.select("query_id", "relevance", "score").with_row_index("doc_id", offset=1)
        return rows.drop("score"), rows.drop("relevance")
    grades = frame["relevance"].to_list()
    if all(isinstance(each, str) for each in grades):
        grades = [re.findall(r"[^][\s,;|\"']+", each) for each in grades]
    are_lists = any(is_list(type(each)) and len(each) > 1 for each in grades)
    if frame["query_id"].is_duplicated().any() or tell_lists(table.found["relevance"]):
        return None
    lists = dict(zip(frame["query_id"], grades, strict=True))
    return _rank_grades(reader, lists) if are_lists else None


_NUMBERS, _SCORES = r"\[ [bfi]+", "b?f[bi]*"
_LETOR = r"^\s*(?P<relevance>\S+)\s+qid:(?P<query_id>\S+)"
_SCORE = r"^\s*(?P<score>\S+)\s*$"


def _place_scores(data: Any, judgments: pl.DataFrame) -> Any:  # noqa: ANN401
    """Runs with the score of each line of judgments; others as they are."""
    if isinstance(data, Mapping):
        return {name: _place_scores(each, judgments) for name, each in data.items()}
    found = _match_lines(data, _SCORE, "0.5")
    if found is None and not has_form(data, r"\[ [bfi]+"):
        return [_place_scores(each, judgments) for each in data] if is_list(type(data)) else data
    scores = pl.Series([*data] if found is None else found["score"], strict=False)
    name = data if isinstance(data, str | Path) else "the list"
    if len(scores) != judgments.height:
        raise InputError(
            f"{name}: {len(scores)} scores for {judgments.height} lines of judgments; give one for "
            "each, in the same order"
        )
    numbers = scores.cast(pl.Float64, strict=False)
    for row in numbers.is_null().arg_true().head(1):
        raise InputError(f"{name} line {row + 1}: score {scores[row]!r} is not a number")
    return judgments.select("query_id", "doc_id", score=numbers)


def _match_lines(data: Any, form: str, example: str) -> pl.DataFrame | None:  # noqa: ANN401
    """The groups of a form in each line of a file; None if the first is not of it."""
    if not isinstance(data, str | Path) or not (path := expand_home(data)).is_file():
        return None
    with path.open("rb") as file:
        if not re.match(rb"(?=\s*[-+.\deE]+\s)" + form.encode(), file.read(200), re.MULTILINE):
            return None
    with reading(str(data)):
        lines = (
            pl.scan_lines(path, glob=False, name="line")
            .collect()
            .with_row_index("number", offset=1)
        )
    lines = lines.filter(pl.col("line").str.contains(r"^\s*[^#\s]"))
    found = lines.select(pl.col("line").str.extract_groups(form)).unnest("line")
    for number, line in lines.filter(found.to_series().is_null()).head(1).iter_rows():
        raise InputError(f"{data} line {number} is not of the form {example!r}: {line[:60]!r}")
    return found
