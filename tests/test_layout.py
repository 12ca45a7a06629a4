"""The package is built in levels: each module imports only what stands below it."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter

import pytest
from conftest import ROOT

PACKAGE = ROOT / "sqlmetrics"
# What a room may import, besides itself: what shows things is above what computes them.
LEVELS = (
    {"errors", "progress", "result", "tables"},
    {"catalogue"},
    {"inputs"},
    {"macros"},
    {"ranking"},
    {"running"},
    {"elsewhere"},
    {"spark"},
    {"engines"},
    {
        "comparing",
        "doctor",
        "fusing",
        "judging",
        "logs",
        "own",
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


GRAPH = {name: {*list_imports(name)} - {name} for name in MODULES}


def test_there_is_no_circle_of_imports():
    assert len([*TopologicalSorter(GRAPH).static_order()]) == len(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_is_below_it(name):
    def find_level(module):
        (level,) = (n for n, rooms in enumerate(LEVELS) if module.split(".")[0] in rooms)
        return level

    own = name.split(".")[0]
    above = {
        other
        for other in GRAPH[name]
        if other.split(".")[0] != own and find_level(other) > find_level(name)
    }
    assert not above


def test_scores_know_no_engine():
    assert not GRAPH["score"] & {"running.duckdb", "spark.session"}


def test_ranking_has_one_face():
    others = {name for name in MODULES if not name.startswith("ranking")}
    known = {each for name in others for each in GRAPH[name] if each.startswith("ranking")}
    assert known == {"ranking"}
