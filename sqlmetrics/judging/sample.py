"""Samples: scores inferred from judgments of documents that were drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ..errors import InputError, is_many, require_truth, require_whole
from ..inputs.columns import Columns
from ..inputs.data import RunNames, Runs, expand_home
from ..inputs.source import reading
from ..inputs.tables import STRATA, read_table
from ..progress import begin
from ..running.checks import read_checked
from ..running.connections import open_reader
from ..running.relations import relate

if TYPE_CHECKING:
    import duckdb


def infer(
    qrels: Any,  # noqa: ANN401
    run: Runs,
    cutoffs: Sequence[int] = (10,),
    *,
    depth: int = 1000,
    per_query: bool = False,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> pl.DataFrame:
    """Scores estimated from judgments of a random sample of the pool, as by ``sample_eval.pl``.

    The pool is divided into strata, with a different share of the documents judged in each: more of
    those that many runs rank first, say. Each judged document stands for those of its stratum that
    were not drawn (Yilmaz, Kanoulas and Aslam 2008).

    - ``qrels``: query_id, doc_id, stratum and relevance, below 0 for a document that is pooled but
      not judged: a frame, a table of ``con``, CSV or Parquet, or TREC text of five columns (query,
      iteration, document, stratum, relevance).
    - ``run``, ``con``, ``columns``, ``run_names``: as for `evaluate`.
    - ``cutoffs``: the cut-off ranks of inferred precision.
    - ``depth``: rank only this many documents of each query.

    A row per run: ``run_id``, ``xinfAP``, ``infNDCG`` and ``iP@10`` for each cut-off, the means
    over all judged queries; with ``per_query`` one per run and query. A query that the run lacks
    scores 0; ``sample_eval.pl`` leaves it out.

    Raises `InputError` for data that cannot be read or would give a wrong number.

    >>> qrels = pl.DataFrame({
    ...     "query_id": ["q"] * 4, "doc_id": list("abcd"), "stratum": [1, 1, 2, 2],
    ...     "relevance": [1, 0, 1, -1],
    ... })
    >>> run = {"q": {"c": 3.0, "a": 2.0, "b": 1.0}}
    >>> infer(qrels, run).select(pl.col("xinfAP", "infNDCG").round(3)).rows()
    [(1.0, 0.765)]
    """
    if not is_many(cutoffs):
        raise InputError(f"cutoffs must be whole numbers such as (5, 10), not {cutoffs!r}")
    for value in (cutoffs := [*cutoffs]):
        require_whole("a cut-off", value)
    require_whole("depth", depth)
    require_truth(per_query=per_query)
    statistics = {"xinfAP": "inferred_ap(p)", "infNDCG": "inferred_ndcg(p)"}
    statistics |= {f"iP@{k}": f"inferred_precision(p, k := {k})" for k in cutoffs}
    with open_reader(con, columns, run_names) as reader:
        judged = _require_numbers(_read(qrels, con, reader.columns))
        runs = read_checked(reader, runs={"run": run})
        begin("inferring scores")
        with reading(runs.name):
            tables: dict[str, pl.DataFrame | str] = {**runs.tables, "qrels": judged}
            rows = relate(reader, "stratified", tables, checked=["run"], depth=depth)
            found = rows.ask(statistics)
    keys = ["run_id", "query_id"]
    if per_query:
        return found.sort(keys)
    return found.group_by("run_id").agg(pl.col(*statistics).sort().mean()).sort("run_id")


def _read(
    qrels: Any,  # noqa: ANN401
    con: duckdb.DuckDBPyConnection | None,
    columns: Columns | None,
) -> pl.DataFrame:
    names = ["query_id", "doc_id", "stratum", "relevance"]
    if isinstance(qrels, str | Path):
        with reading(str(qrels)):
            if (file := expand_home(qrels)).is_file():
                with file.open("rb") as opened:
                    first = opened.readline()
                if len(first.split()) == len(names) + 1 and b"," not in first and not columns:
                    return _read_text(str(qrels), file)
    return read_table(qrels, STRATA, con=con, columns=columns).frame.select(names)


def _require_numbers(judged: pl.DataFrame) -> pl.DataFrame:
    """The judgments with numbers as relevance."""
    for key in ("query_id", "doc_id"):
        if judged[key].null_count():
            raise InputError(f"a judgment has no {key}")
    number = pl.col("relevance").cast(pl.Float64, strict=False)
    for row in judged.filter(~number.is_finite().fill_null(value=False)).rows(named=True):
        what = "no relevance" if row["relevance"] is None else f"relevance {row['relevance']!r}"
        raise InputError(
            f"{what} for document {row['doc_id']} of query {row['query_id']}; it must be a finite "
            "number, below 0 for a document that is not judged"
        )
    return judged.with_columns(number)


def _read_text(name: str, file: Path) -> pl.DataFrame:
    """Lines of query, iteration, document, stratum and relevance."""
    with reading(name):
        lines = pl.Series("line", file.read_text(encoding="utf-8").splitlines())
    words = lines.str.extract_all(r"\S+")
    numbers = words.list.len()
    wrong = (numbers != 5).arg_true()
    if len(wrong):
        place = int(wrong[0])
        raise InputError(
            f"{name}, line {place + 1} has {numbers[place]} words; it needs five: query, "
            "iteration, document, stratum, relevance"
        )
    places = {"query_id": 0, "doc_id": 2, "stratum": 3, "relevance": 4}
    return pl.DataFrame({column: words.list.get(place) for column, place in places.items()})
