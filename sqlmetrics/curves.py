"""Curves: precision and recall rank by rank, precision over recall, ROC."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import polars as pl

from . import catalogue
from .catalogue import SqlFile, read_arguments
from .catalogue.conventions import Conventions
from .catalogue.measures import write_call
from .catalogue.rules import Value
from .errors import MetricError
from .inputs.columns import QRELS, Columns
from .inputs.data import RunNames, Runs
from .progress import remark
from .running.checks import note_strangers
from .running.duckdb import open_duckdb
from .running.judgments import Qrels
from .running.session import Question, order_runs


def curve(
    qrels: Qrels,
    run: Runs,
    name: str = "precision_recall_curve",
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    rel: float | None = None,
    exclude: Any = None,  # noqa: ANN401
) -> pl.DataFrame:
    """The points of a curve: a frame with ``run_id``, ``query_id`` and a row per point.

    ``name`` is a file of ``sql/curves``, which lists the columns, with parameters as a metric has
    them:

    - ``"precision_recall_table(k=20)"``: precision and recall at every rank up to ``k`` (10);
    - ``"precision_recall_curve"``: a point for each relevant document retrieved; with
      ``interpolated=True`` the highest precision at recall 0, 0.1 … 1 or more;
    - ``"roc_curve"``: true-positive over false-positive rate among the judged documents.

    ``averaged=True`` averages the first two over queries, the second interpolated. ``rel`` is the
    relevance from which a document is relevant; the other options are those of `evaluate`, and
    ``exclude`` is as in `Conventions`.

    Raises `InputError` for data that cannot be read or would give a wrong number, `MetricError`
    for a curve or parameter that does not exist.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> curve(qrels, run, "precision_recall_table(k=2)").rows()
    [('run', 'q1', 1, 1.0, 1.0, 0.5), ('run', 'q1', 2, 1.0, 0.5, 0.5)]
    >>> curve(qrels, run, "roc_curve").select("fpr", "tpr").rows()
    [(0.0, 0.0), (0.0, 0.5), (1.0, 0.5), (1.0, 1.0)]
    """
    conventions = Conventions(rel=rel, exclude=exclude)
    file, arguments = _read(name, dict(conventions.parameters))
    question = Question(conventions=conventions)
    with open_duckdb(question, con=con, columns=columns, run_names=run_names) as session:
        session.read(qrels, run, kind=QRELS)
        session.check()
        points = write_call(file.name, session.tables, arguments.items())
        given = {"qrels": session.judgments.table, "run": session.run}
        remark([*session.notes, *note_strangers(session.con, given)])
        order = "run_id ASC, query_id ASC, rank ASC NULLS LAST, 4 ASC"
        return order_runs(session.ask(f"FROM {points} ORDER BY {order}"), session.run_ids)


def _read(name: str, defaults: dict[str, Value]) -> tuple[SqlFile, dict[str, Value]]:
    """The file of a curve and its arguments."""
    known = catalogue.files()["curves"]
    found = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", str(name))
    if not found or found[1] not in known:
        near = [curve for curve in known if found and found[1] and found[1] in curve]
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise MetricError(f"No curve named '{name}'; {hint}curves: {', '.join(known)}")
    file = known[found[1]]
    try:
        given = read_arguments(found[2] or "")
    except ValueError as problem:
        raise MetricError(f"'{name}': {problem}") from None
    parameters = [key for key, value in file.parameters.items() if value]
    for key, value in given.items():
        if key not in parameters:
            has = ", ".join(parameters)
            raise MetricError(f"'{name}' has no parameter '{key}'; it has {has}")
        if fault := file.require_parameter(key).find_problem(value):
            raise MetricError(f"'{name}': {key} cannot be {value!r}; {fault}")
    return file, {key: v for key, v in defaults.items() if key in parameters} | given
