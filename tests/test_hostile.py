"""Hostile data, names and options at every door: what comes out is right, refused, or noted.

Each case is tried at one door: a function's parameter or a command's file, and a column of it. If
the scores are not those of the clean data, a message or a note must say so. A new function or command is a door without a line of its own: see doors.py.
"""

from __future__ import annotations

import inspect
import io
import math
import random
import re
import sys
import warnings
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache

import polars as pl
import pytest
from commands import run_command
from conftest import assert_wrong
from doors import (
    CHANGING,
    FILES,
    FILES_FOR,
    FUNCTIONS,
    NEAR,
    QRELS,
    RUN,
    RUNS,
    SCORES,
    app,
    give,
    list_parameters,
    list_words,
)
from hostile import (
    EXTREMES,
    IDS,
    NAMES,
    OPTIONS,
    OTHER_IDS,
    SHAPES,
    TEXTS,
    VALUES,
    first,
    make_alike,
)

import sqlmetrics as sm
from sqlmetrics.cli.types import NUMBER
from sqlmetrics.progress import collecting_remarks

KEYS = ("query_id", "doc_id", "passage_id")
# What shows and counts the rows that it is given.
SHOWING = ("explain", "merged_ratings", "plot")
LISTING = (
    "changed-queries",
    "judge",
    "merged-ratings",
    "to-judge",
)  # commands whose rows have documents
TRUTHS = [case for case in VALUES if "true" in case.lower() or case == "yes and no"]
# What draws by the order of ids, so that other names give other numbers.
DRAWING = ("agreement", "rater_agreement", "tune")

CALLED = [name for name in FUNCTIONS if name not in CHANGING]
# Functions and their parameters that take tables; and the columns of these.
TABLES = [
    (name, parameter)
    for name in CALLED
    if inspect.isfunction(FUNCTIONS[name])
    for parameter, value in give(name).items()
    if isinstance(value, pl.DataFrame)
]
COLUMNS = [(*door, column) for door in TABLES for column in give(door[0])[door[1]].columns]
PARAMETERS = [
    (name, parameter)
    for name in CALLED
    for parameter in list_parameters(FUNCTIONS[name])
    if (name, parameter) not in TABLES and parameter not in ("engine", "names")
]


def read(result, back=None):
    """The numbers and names in a result, in an order that does not depend on names."""
    if is_dataclass(result):
        found = [getattr(result, each.name) for each in fields(result)]
        return [read(each, back) for each in found if isinstance(each, pl.DataFrame)]
    if isinstance(result, pl.DataFrame):
        return sorted(tuple(write(value, back or {}) for value in row) for row in result.rows())
    return str(result)


def write(value, back):
    if isinstance(value, float | Decimal):
        return f"{float(value) + 0:.6g}" if math.isfinite(value) else f"not finite: {value}"
    if value in back or not isinstance(value, str):
        return back.get(value, str(value))
    is_number = re.fullmatch(r"\s*[-+]?\d+\.\d+(e[-+]?\d+)?\s*", value)
    return f"{float(value):.6g}" if is_number else value


def call(name, given):
    """What a function returns, and its notes."""
    with warnings.catch_warnings(record=True) as warned, collecting_remarks() as remarks:
        warnings.simplefilter("always", UserWarning)
        found = FUNCTIONS[name](**given)
        if isinstance(found, sm.Judgments):  # which are read when they are used
            found = sm.evaluate(found, RUN, "AP")
    said = [str(each.message) for each in warned if issubclass(each.category, UserWarning)]
    return found, {*remarks, *said, *getattr(found, "notes", ())}


@cache
def call_right(name):
    found, notes = call(name, give(name))
    return read(found), notes


def find_outcome(name, changes, back=None):
    """What a function makes of what it is given: right, refused, noted, or other numbers."""
    right, known = call_right(name)
    try:
        found, notes = call(name, {**give(name), **changes})
    except sm.SqlMetricsError as error:
        said = str(error)
        assert 10 < len(said) < 3001
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", said)
        return "refused"
    now = read(found, back)
    if now == right:
        return "right"
    if "severity" in getattr(found, "columns", ()) or notes - known:  # findings are notes
        return "noted"
    shows_scores = name == "explain_query"
    assert shows_scores or str(now).count("not finite") <= str(right).count("not finite")
    return "other"


def choose(doors, case):
    """One of the doors, in a list, which depends on the case; none if there are none."""
    return random.Random(ascii(case)).sample(doors, min(1, len(doors)))


@pytest.mark.few(6)
@pytest.mark.parametrize("shape", SHAPES)
def test_another_shape_gives_the_same_scores_or_is_refused_or_noted(tmp_path, shape):
    for name, parameter in choose(TABLES, shape):
        value = SHAPES[shape](give(name)[parameter], tmp_path)
        if value is not None:
            outcome = find_outcome(name, {parameter: value}, {"given": "run"})  # by its file
            allowed = ("right", "refused", "noted", *(["other"] if name in SHOWING else []))
            assert outcome in allowed, (name, parameter)


def list_values(name, parameter, column):
    """What is done to a column, and whether this may give other scores."""
    clean = give(name)[parameter][column]
    is_shown = name in SHOWING
    if clean.dtype == pl.String:
        words = () if column in KEYS else ("one", "all", "true", "list", "tuple", "struct")
        own = {case for case in IDS if not case.startswith(words)}
        return {case: is_shown or case not in own for case in (*IDS, *OTHER_IDS)}
    others = {*EXTREMES, *(() if {*clean} <= {0, 1} else TRUTHS)}
    return {case: is_shown or case in others for case in (*VALUES, *EXTREMES)}


def change(frame, column, case):
    """The frame with other values in a column, and what its text was; None if that cannot be."""
    try:
        value = (IDS | OTHER_IDS | VALUES | EXTREMES)[case](frame, column)
    except (ValueError, TypeError, ArithmeticError, AttributeError, pl.exceptions.PolarsError):
        return None, {}
    now, was = [*map(str, value[column])], frame[column].to_list()
    names = dict(zip(now, was, strict=False)) if frame[column].dtype == pl.String else {}
    return value, names if len(names) == len({*was}) else {}


@pytest.mark.few(6)
@pytest.mark.parametrize("case", [*IDS, *OTHER_IDS, *VALUES, *EXTREMES])
def test_other_values_give_the_same_scores_or_are_refused_or_noted(case):
    able = [door for door in COLUMNS if case in list_values(*door)]
    for name, parameter, column in choose(able, case):
        value, back = change(give(name)[parameter], column, case)
        if value is not None:
            outcome = find_outcome(name, {parameter: value}, back)
            allowed = ["right", "refused", "noted"]
            allowed += ["other"] * list_values(name, parameter, column)[case]
            assert outcome in allowed, (name, parameter, column)


def rename(value, column, old, new):
    """A table with another id, if it has one; others as they are."""
    if not isinstance(value, pl.DataFrame) or column not in value.columns:
        return value
    return value.with_columns(pl.col(column).replace(old, new))


@pytest.mark.few(3)
@pytest.mark.parametrize("case", [case for case in NAMES if case != "lone surrogate"])
def test_any_name_gives_the_same_scores_or_is_refused(case):
    ids = {(name, column) for name, _, column in COLUMNS if column in KEYS}
    for name, column in choose(sorted(ids), case):
        if name not in DRAWING:
            given = give(name)
            changes = {
                each: rename(value, column, "2", NAMES[case]) for each, value in given.items()
            }
            outcome = find_outcome(name, changes, {NAMES[case]: "2"})
            assert outcome in ("right", "refused", "noted"), (name, column)


@pytest.mark.few(8)
@pytest.mark.parametrize("case", range(len(OPTIONS)))
def test_an_option_of_any_value_is_taken_or_refused_in_words(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    for name, parameter in choose(PARAMETERS, case):
        find_outcome(name, {parameter: OPTIONS[case]})


def find_right(name, parameter):
    """The value of an option that is right, or its default."""
    known = inspect.signature(FUNCTIONS[name]).parameters
    default = known[parameter].default if parameter in known else None
    return give(name).get(parameter, default)


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_an_option_from_numpy_is_the_same_or_refused(name, parameter):
    for value in make_alike(find_right(name, parameter)):
        assert find_outcome(name, {parameter: value}) in ("right", "refused"), value


def takes_numbers(name, parameter):
    known = inspect.signature(FUNCTIONS[name]).parameters
    kind = str(known[parameter].annotation) if parameter in known else ""
    return bool(re.search(r"\b(float|int)\b", kind)) or parameter in ("rel", "depth", "no_relevant")


INFINITE = (math.nan, math.inf, -math.inf)
NUMBERS = [
    (name, parameter, column)
    for name, parameter, column in COLUMNS
    if give(name)[parameter][column].dtype.is_numeric() and column not in ("score", "RR")
] + [(*door, None) for door in PARAMETERS if takes_numbers(*door)]
# Numbers in what is neither a column nor an option of one.
WITHIN = {
    "max_rel": lambda v: sm.evaluate(QRELS, RUN, f"ERR(max_rel={v})@3"),
    "p": lambda v: sm.evaluate(QRELS, RUN, f"RBP(p={v})@3"),
    "gains": lambda v: sm.evaluate(QRELS, RUN, f"nDCG(gains={{1: {v}}})@3"),
    "base": lambda v: sm.evaluate(QRELS, RUN, f"nDCG(base={v})@3"),
    "epsilon": lambda v: sm.evaluate(NEAR, NEAR, f"ANNRecall(epsilon={v})@1"),
    "max_loss": lambda v: sm.gate(SCORES, "y", baseline="x", max_loss={"AP": v}),
    "max_loss of AP": lambda v: sm.gate(SCORES, "y", baseline="x", max_loss={"AP": f"{v}%"}),
    "share": lambda v: sm.experiment(give("experiment")["users"], shares={"A": v, "B": 0.5}),
    "k": lambda v: sm.tune(QRELS, RUNS, settings=[{"k": v}]),
    **{
        name: lambda v, name=name, method=method: sm.fuse(RUNS, method, **{name: v})
        for name, method in (
            *(("sigma", "logn_isr"), ("gamma", "comb_gmnz"), ("rel", "posfuse"), ("depth", "rrf")),
            *(("parts", "probfuse"), ("width", "slidefuse")),
        )
    },
}


@pytest.mark.few(4)
@pytest.mark.parametrize("value", INFINITE)
@pytest.mark.parametrize(("name", "parameter", "column"), NUMBERS)
def test_what_is_not_finite_is_refused_by_name(name, parameter, column, value):
    if column:
        value = first(value, as_pandas=False)(give(name)[parameter], column)
    changes = {parameter: value}
    # a column may not be read, such as the scores of a run that is not asked for
    if column and find_outcome(name, changes) != "refused":
        allowed = ("right", "noted", *(["other"] if name in SHOWING else []))
        assert find_outcome(name, changes) in allowed
    else:
        assert_wrong(column or parameter, FUNCTIONS[name], **(give(name) | changes))


@pytest.mark.parametrize("what", WITHIN)
def test_what_is_not_finite_within_an_option_is_refused_by_name(what):
    for value in INFINITE:
        assert_wrong(what, WITHIN[what], value)


@pytest.mark.parametrize(("score", "rr"), [(math.inf, 1.0), (-math.inf, 0.5)])
def test_an_infinite_score_of_a_run_is_the_first_or_the_last(score, rr):
    run = {"q1": {"a": score, "b": 1.0}}
    assert sm.evaluate({"q1": {"a": 1}}, run, "RR").mean["RR"].item() == rr


COMMANDS = [*app.commands]
TYPED = [
    (command, each)
    for command in COMMANDS
    for each in app.make(command).params
    if not getattr(each, "is_flag", False) and each.name not in ("engine", "into")
]
FILED = [
    (command, name, column)
    for command in COMMANDS
    for name, (first, *_) in ((n, v) for n, v in (FILES | FILES_FOR.get(command, {})).items() if v)
    if isinstance(first, pl.DataFrame)
    and any(
        each.name == name and (each.required or name in FILES_FOR.get(command, {}))
        for each in app.make(command).params
    )
    for column in first.columns
]
STATUS = {"gate": (0, 1, 2), "check": (0, 1, 2)}


def run_hostile(command, words):
    """What a command prints, its notes, and whether it refuses; it must end in one of these ways."""
    status, printed, said = run_command(*words)
    assert status in STATUS.get(command, (0, 2)), said
    assert "Traceback" not in said
    assert "\x1b" not in said
    *notes, last = said.splitlines() or [""]
    assert all(note.startswith("note: ") for note in notes), said
    assert last.startswith("error: ") == (status == 2), said
    return status == 2, printed, {*notes, last}


@pytest.mark.few(3)
@pytest.mark.parametrize("case", [*IDS, *VALUES, *NAMES])
def test_a_file_of_other_values_gives_the_same_output_or_is_refused_or_noted(
    tmp_path, monkeypatch, case
):
    monkeypatch.chdir(tmp_path)
    for command, name, column in choose(FILED, case):
        clean, *others = (FILES | FILES_FOR.get(command, {}))[name]
        value = change_file(clean, column, case)
        if value is None:
            continue
        _, right, known = run_hostile(command, list_words(command, tmp_path))
        is_refused, printed, notes = run_hostile(
            command, list_words(command, tmp_path, **{name: [value, *others]})
        )
        is_said = is_refused or notes - known or command.startswith("check")  # which lists findings
        # as it is given
        is_shown = (name, column) == ("mapping", "doc_id") or command in LISTING
        may_differ = case in NAMES or column not in KEYS or is_shown
        assert is_said or printed == right or may_differ, (command, name, column)
        if command == "report":
            assert 'onclick="x()' not in (tmp_path / "page.html").read_text()


def change_file(frame, column, case):
    """The frame with other values in a column, if a CSV file can hold it."""
    if case in NAMES:
        if frame[column].dtype != pl.String or case == "lone surrogate":
            return None
        return rename(frame, column, frame[column][0], NAMES[case])
    value = (
        None if frame[column].dtype != pl.String and case in IDS else change(frame, column, case)[0]
    )
    if value is None or (frame[column].dtype == pl.String) != (case in IDS):
        return None
    return (
        None
        if not isinstance(value, pl.DataFrame)
        or value[column].dtype.is_nested()
        or value[column].dtype in (pl.Binary, pl.Object, pl.Duration)
        else value
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    (tmp_path / "empty.csv").touch()
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "a folder.csv").mkdir()
    return tmp_path


@pytest.mark.parametrize("text", TEXTS)
def test_a_command_takes_any_text_or_refuses_it_in_one_line(files, text):
    for command, option in choose(TYPED, text):
        run_hostile(command, list_words(command, files, **{option.name: [text]}))


@pytest.mark.few(10)
@pytest.mark.parametrize(
    ("command", "option"),
    [(command, each.name) for command, each in TYPED if each.type is NUMBER],
)
def test_a_command_refuses_an_option_that_is_not_finite(files, command, option):
    for value in ("nan", "inf", "-inf"):
        is_refused, _, said = run_hostile(command, list_words(command, files, **{option: [value]}))
        assert is_refused
        assert value.lstrip("-") in "".join(said) or option.replace("_", "-") in "".join(said)


@pytest.mark.few(8)
@pytest.mark.parametrize("name", CALLED)
def test_what_is_right_for_a_function_is_known(name):
    call_right(name)


@pytest.mark.few(8)
@pytest.mark.parametrize("name", CALLED)
def test_whole_numbers_as_ids_give_what_text_gives(name):
    numbers = pl.selectors.by_name(
        "query_id", "doc_id", "page_id", "user_id", "passage_id", require_all=False
    ).cast(pl.Int64)
    given = give(name).items()
    tables = {key: t.with_columns(numbers) for key, t in given if isinstance(t, pl.DataFrame)}
    assert find_outcome(name, tables) == "right"


@pytest.mark.few(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_right_for_a_command_is_known(tmp_path, command):
    status, _, said = run_command(*list_words(command, tmp_path))
    assert status == 0, said
