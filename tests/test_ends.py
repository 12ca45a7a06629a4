"""Whatever is given, a function raises an error with a message, and a command ends with a status.

A new function or command is tried without a line of its own: what is right for it is found by the
names of its parameters.
"""

from __future__ import annotations

import errno
import inspect
import io
import math
import re
import sys
from collections import Counter
from xml.etree import ElementTree

import click
import duckdb
import polars as pl
import pytest
from commands import run_command

import sqlmetrics as sm
from sqlmetrics.catalogue.conventions import ConventionOptions
from sqlmetrics.cli import app
from sqlmetrics.result import Result

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0, "d": 2.0}}
SCORES = pl.DataFrame(
    {
        "run_id": ["x"] * 4 + ["y"] * 4,
        "query_id": ["1", "2", "3", "4"] * 2,
        "AP": [0.1, 0.2, 0.3, 0.4, 0.2, 0.4, 0.1, 0.5],
        "RR": [0.1, 0.2, 0.3, 0.7, 0.2, 0.4, 0.1, 0.5],
    }
)
LOG = pl.DataFrame(
    {
        "page_id": [1, 1, 2, 2, 3, 3, 4, 4],
        "query_id": ["q1"] * 8,
        "doc_id": ["a", "b", "b", "a"] * 2,
        "position": [1, 2] * 4,
        "clicked": [1, 0, 1, 1, 1, 0, 1, 0],
        "team": ["a", "b"] * 4,
    }
)
USERS = pl.DataFrame(
    {"user_id": range(8), "variant": ["A", "B"] * 4, "numerator": [1, 2, 3, 4, 2, 3, 5, 6]}
)
DRAWN = pl.DataFrame(
    {
        "query_id": ["q1"] * 4,
        "doc_id": ["a", "b", "c", "d"],
        "stratum": ["1", "1", "2", "2"],
        "relevance": [1, 0, 1, -1],
    }
)
PASSAGES = pl.DataFrame({"passage_id": ["a", "b", "c", "d"], "doc_id": ["e", "e", "f", "f"]})
NEIGHBOURS = {"q1": {f"d{n}": n / 10 for n in range(12)}}
HISTORY = pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "b"]})
LOOKED = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})

# What is right for a parameter of any function, and of one of them.
RIGHT = {
    "qrels": QRELS,
    "run": RUN,
    "log": LOG,
    **dict.fromkeys(("exact", "found"), NEIGHBOURS),
    "mapping": PASSAGES,
    "users": USERS,
    "history": HISTORY,
    "items": HISTORY,
    "baseline": RUN,
    **dict.fromkeys(("scores", "offline", "online", "automatic", "human"), SCORES),
    **dict.fromkeys(("first", "changed"), QRELS),
    "before": RUN,
    "query": "SELECT * FROM to_judge(qrels, run) AS t",
    "dialect": "postgres",
    "path": "found.sql",
    "name": "found",
}
RIGHT_FOR = {
    "agree": {"second": QRELS},
    "examination": {"least_pages": 4},
    "explain_query": {"query": "q1"},
    "fuse": {"run": {"x": RUN, "y": RUN}},
    "gate": {"run": "y", "baseline": "x", "fail_under": {"AP": 0.1}},
    "infer": {"qrels": DRAWN},
    "judge": {"model": "pbm", "least_pages": 4},
    "leave_out": {"run": {"x": RUN, "y": RUN}},
    "plot": {"found": LOOKED},
    "replay": {"examination": LOOKED},
    "tune": {"run": {"x": RUN, "y": RUN}},
}
HOSTILE = (
    *(None, 5, -0.5, 10**30, math.nan, True, b"AP", object(), {5}),
    *([], [None], {}, {5: 5}, {"AP": None}, pl.DataFrame()),
    *("", "AP=0.1", "query_id", "x" * 300, "a\x00b\x1b[31mc\nd", "(" * 3000, "\udcff"),
)


def choose(names, values):
    """For each of some parameters, by their names, the values to try.

    Parameters of the same name are read by the same code: the first is given all values, and of the
    others each one, in turn.
    """
    seen = Counter()
    for name in names:
        number, seen[name] = seen[name], seen[name] + 1
        yield values if number == 0 else values[number % len(values) :][:1]


FUNCTIONS = {
    name: function
    for name, function in ((name, getattr(sm, name)) for name in sm.__all__)
    if not inspect.isclass(function) or not issubclass(function, (Result, Exception))
}


def list_parameters(function):
    """Its parameters, and conventions where it takes them."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            yield from ConventionOptions.__annotations__
        else:
            yield name


def give(name):
    """Arguments with which a function does what it is for."""
    given = {
        parameter: RIGHT[parameter]
        for parameter, each in inspect.signature(FUNCTIONS[name]).parameters.items()
        if each.default is each.empty and parameter in RIGHT
    }
    given |= RIGHT_FOR.get(name, {})
    return given | ({"con": duckdb.connect()} if name in ("install", "uninstall") else {})


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "name", [name for name in FUNCTIONS if name not in ("add_metric", "remove_metric")]
)
def test_what_is_right_for_a_function_is_known(name):
    FUNCTIONS[name](**give(name))


PARAMETERS = [
    (name, each) for name, function in FUNCTIONS.items() for each in list_parameters(function)
]
TRIED = dict(
    zip(PARAMETERS, choose([parameter for _, parameter in PARAMETERS], HOSTILE), strict=True)
)


@pytest.mark.few(6)
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_function_takes_anything_or_refuses_it_in_words(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = give(name)
    for value in TRIED[name, parameter]:
        words = (value,) if parameter == "names" else ()
        try:
            FUNCTIONS[name](*words, **given if words else {**given, parameter: value})
        except sm.SqlMetricsError as error:
            said = str(error)
            assert 10 < len(said) < 1500
            assert "\x1b" not in said
            said.encode()


def leave_rows(con):
    con.execute("FROM range(5)").fetchmany(2)


def abort(con):
    con.begin()
    with pytest.raises(duckdb.Error):
        con.execute("SELECT error('x')").fetchall()


@pytest.mark.few(8)
@pytest.mark.parametrize("name", [name for name, each in PARAMETERS if each == "con"])
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (leave_rows, "con has a result with rows that were not fetched"),
        (abort, r"transaction that an error has ended; con\.rollback\(\) first"),
        (lambda con: con.close(), "con is closed"),
    ],
)
def test_a_connection_that_is_not_free_is_refused(name, spoil, said):
    con = duckdb.connect()
    spoil(con)
    with pytest.raises(sm.InputError, match=said):
        FUNCTIONS[name](**{**give(name), "con": con})
    with pytest.raises(duckdb.Error):  # not the rows after one that was looked at
        con.fetchall()


def test_a_connection_is_free_once_its_rows_are_fetched_or_there_are_none():
    con = duckdb.connect()
    con.execute("CREATE TABLE kept AS FROM range(2)")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.execute("SELECT count(*) FROM kept").fetchone()
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.execute("SELECT 1 WHERE false")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.begin()
    con.execute("INSERT INTO kept VALUES (2)")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.commit()
    assert con.execute("FROM kept").fetchall() == [(0,), (1,), (2,)]


@pytest.fixture
def files(tmp_path):
    """A folder with files that commands read, and others."""
    for name, value in (("qrels", "relevance"), ("run", "score"), ("other", "score")):
        rows = ["q1,a,2", "q1,b,1", "q2,c,1", "q2,d,2"]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"query_id,doc_id,{value}", *rows]))
    tables = {"log": LOG, "users": USERS, "scores": SCORES, "drawn": DRAWN, "looked": LOOKED}
    tables["passages"] = PASSAGES
    for name, frame in tables.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    near = (f"q1,{doc},{distance}" for doc, distance in NEIGHBOURS["q1"].items())
    (tmp_path / "near.csv").write_text("\n".join(["query_id,doc_id,distance", *near]))
    (tmp_path / "empty.csv").touch()
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "a folder.csv").mkdir()
    return tmp_path


# By the name of an argument or of an option that is required, and what a command needs besides.
FILES = {
    "qrels": ["qrels.csv"],
    "runs": ["run.csv", "other.csv"],
    "log": ["log.csv"],
    "exact": ["near.csv"],
    "mapping": ["passages.csv"],
    "users": ["users.csv"],
    **{name: ["qrels.csv"] for name in ("first", "changed")},
    "before": ["run.csv"],
    "second": ["qrels.csv"],
    **{name: ["scores.csv"] for name in ("offline", "online")},
    **{name: ["qrels.csv"] for name in ("automatic", "human")},
    "query": [RIGHT["query"]],
    "names": [],
    "metrics": ["AP"],
    "dialect": ["postgres"],
    "output": ["page.html"],
    "database": ["metrics.duckdb"],
}
FILES_FOR = {
    "explain-query": {"query": ["q1"]},
    "infer": {"qrels": ["drawn.csv"]},
    "neighbours": {"runs": ["near.csv"]},
}
MORE = {
    "gate": ["--fail-under", "AP=0.1"],
    "judge": ["--model", "pbm", "--least-pages", "4"],
    "examination": ["--least-pages", "4"],
    "replay": ["--examination", "looked.csv"],
}
TEXTS = (
    *("", "x" * 300, "a\x1b[31mc\nd", "(" * 3000, "\udcff", "nan", "-1", "1e999", "AP=-1", "-"),
    *("missing.csv", "empty.csv", "binary.csv", "a folder.csv", "qrels.csv"),
)
ALLOWED = {"gate", "check", "check-log"}  # to end with status 1


def write(command, files, **instead):
    """The words of a command: what it needs, some of it replaced."""
    words = [command]
    known = FILES | FILES_FOR.get(command, {})
    for each in app.commands[command].params:
        if isinstance(each, click.Option) and not each.required and each.name not in instead:
            continue
        values = instead.get(each.name) or known[each.name]
        for value in values:
            words += (
                [value] if isinstance(each, click.Argument) else [max(each.opts, key=len), value]
            )
    words += MORE.get(command, [])
    return [
        str(files / word) if word.endswith((".csv", ".html", ".duckdb")) else word for word in words
    ]


def assert_ended(command, words):
    status, _, said = run_command(*words)
    assert status in ((0, 1, 2) if command in ALLOWED else (0, 2)), said
    assert "Traceback" not in said
    assert "\x1b" not in said
    *notes, last = said.splitlines() or [""]
    assert all(note.startswith("note: ") for note in notes), said
    assert last.startswith("error: ") == (status == 2), said


@pytest.mark.few(8)
@pytest.mark.parametrize("command", app.commands)
def test_what_is_right_for_a_command_is_known(files, command):
    status, _, said = run_command(*write(command, files))
    assert status == 0, said


ODD = "\x1b[31m\x01\ufffe\x9b"


@pytest.mark.few(8)
@pytest.mark.parametrize("command", app.commands)
def test_no_name_reaches_the_terminal_as_a_command_to_it(files, command):
    for path in (path for path in files.glob("*.csv") if path.is_file()):
        content = path.read_text("utf-8", errors="replace")
        path.write_text(re.sub(r"\b(q1|AP|b|x)\b", rf"\g<1>{ODD}", content), "utf-8")
        if path.stem in ("run", "other", "near", "log"):
            path.rename(files / f"{path.stem}{ODD}.csv")
    words = [
        re.sub(r"(run|other|near|log)(\.csv)$", rf"\1{ODD}\2", w) for w in write(command, files)
    ]
    words = [f"q1{ODD}" if word == "q1" else word for word in words]
    formats = next((e.type.choices for e in app.commands[command].params if e.name == "format"), ())
    for format in ("", *({"table", "markdown", "latex", "svg"} & {*formats})):
        _, printed, said = run_command(*words, *(["-f", format] if format else []))
        assert "Traceback" not in said
        assert not re.search(r"[\x1b\x01\x9b\ufffe]", printed + said)
        if format == "svg" and not said.startswith("error: "):
            ElementTree.fromstring(printed)


OPTIONS = [
    (command, each.name)
    for command, function in app.commands.items()
    for each in function.params
    if not getattr(each, "is_flag", False) and each.name not in ("engine", "into")
]
TYPED = dict(zip(OPTIONS, choose([option for _, option in OPTIONS], TEXTS), strict=True))


@pytest.mark.few(6)
@pytest.mark.parametrize(("command", "parameter"), OPTIONS)
def test_a_command_takes_any_text_or_refuses_it_in_one_line(files, command, parameter, monkeypatch):
    monkeypatch.chdir(files)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    for text in TYPED[command, parameter]:
        assert_ended(command, write(command, files, **{parameter: [text]}))
    if len(TYPED[command, parameter]) > 1:
        assert_ended(command, write(command, files, **{parameter: ["AP", "AP=1"]}))


class FullDisk(io.RawIOBase):
    def writable(self):
        return True

    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.few(4)
@pytest.mark.parametrize("command", [each for each in app.commands if each != "report"])
def test_a_command_that_cannot_write_does_not_end_as_one_that_failed(files, command):
    status, _, said = run_command(*write(command, files), out=FullDisk())
    assert status == 2
    assert (
        said.splitlines()[-1] == "error: cannot write to standard output: No space left on device"
    )
