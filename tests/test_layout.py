"""The package is built in levels: each module imports only what stands below it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT

PACKAGE = ROOT / "sqlmetrics"
# What a room may import, besides itself: what shows things is above what computes them.
LEVELS = (
    {"errors", "progress", "result"},
    {"catalogue"},
    {"inputs"},
    {"macros"},
    {"ranking"},
    {"engine"},
    {"translate"},
    {"spark"},
    {"open_engine"},
    {
        "comparing",
        "doctor",
        "fusing",
        "judging",
        "clicks",
        "custom_metrics",
        "query",
        "recommending",
        "report",
        "score",
        "script",
    },
    {"analyses"},
    {"plots"},
    {"cli", "__init__"},
    {"__main__"},
)


def name_module(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {name_module(path): path for path in PACKAGE.rglob("*.py")}
MODULES["__init__"] = PACKAGE / "__init__.pyi"  # from which it imports


def list_imports(name):
    """The modules of the package that a module imports, at its top or within a function."""
    room = name.split(".") if MODULES[name].stem == "__init__" else name.split(".")[:-1]
    room = [] if name == "__init__" else room
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        start = room[: len(room) - node.level + 1]
        target = ".".join([*start, *(node.module or "").split(".")]).strip(".")
        for alias in node.names:
            found = f"{target}.{alias.name}".strip(".")
            yield found if found in MODULES else target or "__init__"


@cache
def find_graph():
    """What each module imports."""
    return {name: {*list_imports(name)} - {name} for name in MODULES}


def test_there_is_no_circle_of_imports():
    assert len([*TopologicalSorter(find_graph()).static_order()]) == len(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_is_below_it(name):
    def find_level(module):
        room = module.split(".")[0]
        levels = [n for n, rooms in enumerate(LEVELS) if room in rooms]
        assert len(levels) == 1, f"{room} must be in one of LEVELS, above what it imports"
        return levels[0]

    own = name.split(".")[0]
    above = {
        other
        for other in find_graph()[name]
        if other.split(".")[0] != own and find_level(other) > find_level(name)
    }
    assert not above


def test_scores_know_no_engine():
    assert not find_graph()["score"] & {"engine.judged", "spark.cluster"}


def test_ranking_has_one_face():
    others = {name for name in MODULES if not name.startswith("ranking")}
    known = {each for name in others for each in find_graph()[name] if each.startswith("ranking")}
    assert known == {"ranking"}


LINES = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
LIMITS = {
    room: (int(lines.replace(",", "")), int(modules))
    for room, lines, modules in re.findall(
        r"^\| (?:`|the )(\w+)`? \|.*\| ([\d,]+) \| (\d+) \|$",
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.M,
    )
}
# Modules that are longer than others may be, and may only shrink.
LONG = {
    "inputs.columns": 585,
    "inputs.reader": 494,
    "ranking.ranks": 476,
    "score": 555,
}


def test_no_room_has_more_lines_or_modules_than_its_limits():
    lines, modules = Counter(), Counter()
    for name, number in LINES.items():
        if name != "__init__":  # the stub, which is generated
            room = name.split(".")[0] if name.split(".")[0] in LIMITS else "others"
            lines[room] += number
            modules[room] += not is_room(name)
    found = {room: (lines[room], modules[room]) for room in lines}
    above = {
        room: has for room, has in found.items() if max(map(int.__sub__, has, LIMITS[room])) > 0
    }
    assert above == {}, "these rooms have more lines or modules than CONTRIBUTING.md allows them"


def test_no_module_has_more_than_450_lines_except_those_that_shrink():
    long = {name: number for name, number in LINES.items() if number > 450 and name != "__init__"}
    assert {name: number for name, number in long.items() if number > LONG.get(name, 0)} == {}
    assert LONG.keys() == long.keys()


def test_no_two_modules_have_the_same_name():
    last = Counter(name.rpartition(".")[2] for name in MODULES if not is_room(name))
    assert {name for name, number in last.items() if number > 1} == set()


def is_room(name):
    return MODULES[name].stem == "__init__"
