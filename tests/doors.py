"""Every door by which data, names and options come in: functions, commands, what is right for each.

A new one is found by itself: what is right for it is known by the names of its parameters. A new kind
of table needs a line of RIGHT and one of FILES.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import duckdb
import polars as pl

import sqlmetrics as sm
from sqlmetrics.catalogue.conventions import ConventionOptions
from sqlmetrics.cli.from_headers import app
from sqlmetrics.result import Result

_DRAWN = random.Random(1)
QUERIES = [str(number) for number in range(1, 7)]


def _draw(columns: str, rows: list[tuple]) -> pl.DataFrame:
    return pl.DataFrame(rows, columns.split(), orient="row")


def _draw_run(name: str) -> list[tuple]:
    """Lists of documents 1 to 8 with unlike scores, as rows of a run."""
    return [
        (name, query, str(doc), round(8.75 - place - _DRAWN.random() / 2, 3))
        for query in QUERIES
        for place, doc in enumerate(_DRAWN.sample(range(1, 9), 6))
    ]


def _draw_qrels() -> pl.DataFrame:
    rows = [(query, str(doc), float(doc % 3 > 1)) for query in QUERIES for doc in range(1, 8)]
    rows = [(query, doc, 1.0 - _DRAWN.choice([value, 0])) for query, doc, value in rows]
    return _draw("query_id doc_id relevance", [*rows])


def _draw_scores() -> pl.DataFrame:
    rows = [
        (run, query, round(_DRAWN.random(), 2), round(_DRAWN.random(), 2))
        for run in ("x", "y")
        for query in QUERIES
    ]
    return _draw("run_id query_id AP RR", rows)


RUNS = _draw("run_id query_id doc_id score", _draw_run("x") + _draw_run("y"))
RUN = RUNS.filter(run_id="x").drop("run_id")
QRELS = _draw_qrels()
SCORES = _draw_scores()
LOG = pl.DataFrame(
    {
        "page_id": [str(page) for page in range(1, 13) for _ in range(2)],
        "query_id": [QUERIES[page % 2] for page in range(1, 13) for _ in range(2)],
        "doc_id": [str(1 + (page + place) % 3) for page in range(1, 13) for place in range(2)],
        "position": [1, 2] * 12,
        "clicked": [1, 0, 1, 1, 0, 1] * 4,
        "time_to_click": [1.5, None, 2.5, 3.5, None, 4.5] * 4,
        "dwell_time": [10.5, None, 2.5, 3.5, None, 4.5] * 4,
        "response_time": [0.5, 0.5, 0.7, 0.7] * 6,
    }
)
PAGES = LOG.select(
    "page_id",
    "clicked",
    "position",
    team=pl.Series(["a", "b", "b", "a"] * 6),
)
USERS = pl.DataFrame(
    {
        "user_id": [str(user) for user in range(1, 9)],
        "variant": ["A", "B"] * 4,
        "numerator": [1.5, 2.0, 3.0, 4.0, 2.5, 3.0, 5.0, 6.0],
        "denominator": [1.0, 2.0] * 4,
        "before": [1.5, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0],
        "before_denominator": [1.0, 2.0] * 4,
    }
)
DRAWN = _draw(
    "query_id doc_id stratum relevance",
    [
        (query, str(doc), str(1 + doc // 4), [1, 0, -1][(doc + int(query)) % 3])
        for query in QUERIES
        for doc in range(1, 8)
    ],
)
RATINGS = _draw(
    "query_id doc_id judge relevance",
    [
        (query, str(doc), judge, (doc + place * (doc % 2)) % 2)
        for query in QUERIES
        for doc in range(1, 4)
        for place, judge in enumerate(("m", "n"))
    ],
)
PASSAGES = _draw("passage_id doc_id", [(str(n), str(100 + n // 2)) for n in range(1, 9)])
NEAR = _draw(
    "query_id doc_id distance",
    [(query, str(n), n / 10 + int(query)) for query in QUERIES for n in range(1, 13)],
)
HISTORY = _draw("query_id doc_id", [(q, str(1 + int(q) % 4)) for q in QUERIES] + [("1", "7")])
ITEMS = _draw("doc_id category", [(str(n), "uv"[n % 2]) for n in range(1, 9)])
TOPICS = _draw("query_id country weight", [(q, "CH" if q < "4" else "GB", 1.5) for q in QUERIES])
EXCLUDED = _draw("query_id doc_id", [("1", "1"), ("2", "2")])
LOOKED = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})

# What is right for a parameter of any function; data is a frame.
RIGHT: dict[str, Any] = {
    "qrels": QRELS,
    "run": RUNS,
    "log": LOG,
    **dict.fromkeys(("exact", "found"), NEAR),
    "mapping": PASSAGES,
    "users": USERS,
    "pages": PAGES,
    "history": HISTORY,
    "items": ITEMS,
    **dict.fromkeys(("scores", "scores_a", "scores_b"), SCORES),
    **dict.fromkeys(("offline", "online", "automatic", "human"), SCORES),
    **dict.fromkeys(("first", "second", "changed"), QRELS),
    "ratings": RATINGS,
    "baseline": RUN,
    "query": "SELECT * FROM to_judge(qrels, run) AS t",
    "dialect": "postgres",
    "path": "found.sql",
    "name": "found",
}
# What is right for one of them, and optional data that it takes.
RIGHT_FOR: dict[str, dict[str, Any]] = {
    **{key: {"samples": 20} for key in ("agreement", "rater_agreement")},
    "check": {"qrels": QRELS, "run": RUNS, "documents": ITEMS.select("doc_id")},
    "bounds": {"exclude": EXCLUDED},
    "evaluate": {
        "qrels": QRELS,
        "run": RUNS,
        "metrics": "AP Novelty@2 ILD@2 Overlap@2",
        "history": HISTORY,
        "items": ITEMS,
        "baseline": RUN,
        "topics": TOPICS,
        "by": "country",
        "weight": "weight",
    },
    "examination": {"least_pages": 4},
    "explain_query": {"query": "1"},
    "fuse": {"method": "comb_sum", "normalization": "none"},
    "gate": {"run": "y", "baseline": SCORES.filter(run_id="x"), "fail_under": {"AP": 0.1}},
    "inferred": {"qrels": DRAWN},
    "judge": {"model": "pbm", "least_pages": 4},
    "plot": {"found": LOOKED},
    "query": {"sql": RIGHT["query"], "qrels": QRELS, "run": RUNS},
    "replay": {"examination": LOOKED},
    "report": {"scores": sm.evaluate(QRELS, RUNS, "AP")},
    "tune": {"methods": ["rrf"]},
    "users_needed": {"difference": 0.5},
}
FUNCTIONS = {
    name: function
    for name, function in ((name, getattr(sm, name)) for name in sm.__all__)
    if not inspect.isclass(function) or not issubclass(function, (Result, Exception, sm.Report))
}


def evaluate_log(log, metrics=None, *, by=(), con=None, columns=None, intervals=False, alpha=0.05):
    """What `evaluate` gives for a log, which is another door than that of runs."""
    given = {"by": by, "con": con, "columns": columns, "intervals": intervals, "alpha": alpha}
    return sm.evaluate(log=log, metrics=metrics, **given)


FUNCTIONS["evaluate_log"] = evaluate_log
CHANGING = ("add", "remove")  # what later calls know


def list_parameters(function: Any) -> Iterator[str]:
    """Its parameters, and conventions where it takes them."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            yield from ConventionOptions.__annotations__
        else:
            yield name


def give(name: str) -> dict[str, Any]:
    """Arguments with which a function does what it is for."""
    given = {
        parameter: RIGHT[parameter]
        for parameter, each in inspect.signature(FUNCTIONS[name]).parameters.items()
        if each.default is each.empty and parameter in RIGHT
    }
    given |= RIGHT_FOR.get(name, {})
    return given | ({"con": duckdb.connect()} if name in ("install", "uninstall") else {})


# By the name of an argument, or of an option that is required: tables, and words.
FILES: dict[str, list[Any]] = {
    "qrels": [QRELS],
    **{key: [RUN, RUNS.filter(run_id="y").drop("run_id")] for key in ("run", "runs")},
    "log": [LOG],
    "exact": [NEAR],
    "mapping": [PASSAGES],
    "users": [USERS],
    "pages": [PAGES],
    "ratings": [RATINGS],
    **{key: [QRELS] for key in ("first", "changed", "second")},
    "baseline": [RUN],
    **{key: [SCORES] for key in ("scores", "scores_a", "scores_b", "offline", "online")},
    **{key: [SCORES] for key in ("automatic", "human")},
    "query": [RIGHT["query"]],
    "names": [],
    "preset": ["ranx"],
    "metrics": ["AP"],
    "dialect": ["postgres"],
    "output": ["page.html"],
    "database": ["metrics.duckdb"],
}
FILES_FOR: dict[str, dict[str, list[Any]]] = {
    "explain-query": {"query": ["1"]},
    "query": {"query": ["SELECT 1 AS one"]},
    "inferred": {"qrels": [DRAWN]},
    "compare": {"exclude": [EXCLUDED]},
    "evaluate": {
        "qrels": [QRELS],
        "run": [RUN, RUNS.filter(run_id="y").drop("run_id")],
        "history": [HISTORY],
        "items": [ITEMS],
    },
    "nauc": {"run": [RUNS]},
    "replay": {"examination": [LOOKED]},
    "users-needed": {"difference": [0.5]},
    "check": {"documents": [ITEMS]},
}
MORE = {
    "evaluate": ["--metrics", "AP ILD@2 Novelty@2"],
    **{key: ["--samples", "20"] for key in ("agreement", "rater-agreement")},
    "gate": ["--fail-under", "AP=0.1"],
    "judge": ["--model", "pbm", "--least-pages", "4"],
    "examination": ["--least-pages", "4"],
    "tune": ["--method", "rrf"],
}


def list_words(command: str, folder: Path, **instead: list[Any]) -> list[str]:
    """The words of a command: what it needs, some of it replaced; tables become files."""
    words = [command]
    own = FILES_FOR.get(command, {})
    for each in app.make(command).params:
        is_option = isinstance(each, click.Option)
        name = str(each.name)
        if is_option and not each.required and name not in {*own, *instead}:
            continue
        for number, value in enumerate(instead.get(name) or (FILES | own)[name]):
            word = value
            if isinstance(value, pl.DataFrame):
                word = folder / f"{name}{number}.csv"
                value.write_csv(word)
            elif str(value).endswith((".html", ".duckdb")):
                word = folder / value
            words += [max(each.opts, key=len)] * is_option + [str(word)]
    return words + MORE.get(command, [])
