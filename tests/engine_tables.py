"""Every analysis and every check as plain SQL on an engine, beside the rows of DuckDB's macros."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, TypeAlias

import doors
import duckdb
import polars as pl
from conftest import ROOT, create_macros, keep

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue import list_analyses
from sqlmetrics.inputs.columns import KINDS, NAMES, RANGED_SCORES, SCORES
from sqlmetrics.macros.create import list_needs
from sqlmetrics.translate.features import ENGINES

PAGE = ROOT / "docs" / "engines" / "analyses.md"
RUN_HERE = ("duckdb", "spark", "postgres", "sqlite", "datafusion", "clickhouse")
RENDERED = [name for name in ENGINES if name not in (*RUN_HERE, "athena")]
OPTIONAL = {*NAMES, "metric", "tag"} - {"distance"}


def _draw(columns: str, *rows: tuple) -> pl.DataFrame:
    """Rows whose values that are no text are numbers."""
    names = columns.split()
    found = pl.DataFrame(rows, names, orient="row", infer_schema_length=None)
    return found.with_columns(pl.col(pl.Int64, pl.Null).cast(pl.Float64))


INF = math.inf
_JUDGED = "query_id doc_id relevance"
_RETRIEVED = "run_id query_id doc_id score"
_SCORED = "run_id metric query_id score lowest highest"
_USED = "user_id variant metric numerator denominator before before_denominator"
_SHOWN = "page_id query_id doc_id position clicked time_to_click dwell_time response_time"
_ROW = (None, None)
# By parameter, tables in which checks find something: the first with several faults at once.
WRONG: dict[str, list[pl.DataFrame]] = {
    "qrels": [
        _draw(_JUDGED, ("1", "a", 1), ("1", "b", 3), ("2", "a", 5), ("2", "b", 5)),
        _draw(f"{_JUDGED} subtopic", ("1", "a", 1, "s"), ("1", "a", 0, "t"), ("2", "b", 1, "s")),
        _draw(_JUDGED, ("9", "z", 1)),
        _draw(f"{_JUDGED} stratum", ("1", "a", 1, "s"), ("1", "b", 0, None), ("2", "b", None, "s")),
        _draw(
            _JUDGED,
            *[("1", "a", 1), ("1", "a", 0), ("1", " b", 1), ("2", "c", None), ("2", "", 1)],
            *[(None, "d", 1), ("3", "e", -2), ("3", "f", INF), ("4", "01", 0.5), ("5", "x", 0)],
        ),
    ],
    "run": [
        _draw(_RETRIEVED, *(("x", q, d, 1.0 * (q == "2")) for q in "12" for d in "abc")),
        _draw(
            f"{_RETRIEVED} rank tag weight",
            *[("x", "1", "a", 1, 1, "s", 0.5), ("x", "1", "b", 3, 2, "t", 0.5)],
            *[("x", "2", "b", 3, 2, "s", 2), ("x", "2", "c", 4, 1, "s", None)],
        ),
        _draw(_RETRIEVED, *(("x", q, d, n) for q in "123" for n, d in enumerate("abc", 1))),
        _draw(
            _RETRIEVED,
            *[("x", "1", "a", 1.00000002), ("x", "1", "b", 1), ("x", "1", "c", 1)],
            *[("x", "1", "d", 0.9999), ("x", "2", "a", 1.00000001)],
        ),
        _draw(_RETRIEVED, ("x", "1", "a", "1e-400"), ("x", "1", "b", "0.0"), ("x", "2", "a", "1")),
        _draw(_RETRIEVED, ("z", "8", "a", 1), ("z", "8", "b", 0.5)),
        _draw(
            _RETRIEVED,
            *[("x", "1", "a", 2), ("x", "1", "a", 1), ("x", "1", "b", 1), ("x", "1", "c", 1)],
            *[("x", "2", "1", None), (None, "2", "c", 1), ("y", None, "c", 1), ("y", "2", "", 1)],
            *[("y", "4", "1", INF), ("y", "4", "d ", 3), ("y", "9", "z", 0.5)],
        ),
    ],
    "log": [
        _draw(
            _SHOWN,
            *[("1", "q", "a", 1, 0, 1.5, None, 0.5), ("1", "q", "b", 1, 1, -1, 2, 0.75)],
            *[("2", "q", "a", 1, 1, None, -3, 0.5), ("2", "r", "a", 3, 0, None, None, 0.5)],
            *[(None, "q", "a", 1, 1, None, None, -1), ("3", None, "b", 2, 1, None, None, None)],
            *[("4", "q", None, None, 1, None, None, None), ("5", "q", "c", None, 1) + 3 * (None,)],
            *[("6", "q", "c", 1, None, None, None, None), ("7", "q", None, None, 0, *_ROW, 2)],
        ),
        _draw(_SHOWN, *((str(n), "q", "a", 1, 1, None, None, None) for n in range(20))),
    ],
    "pages": [
        _draw(
            "page_id user_id clicked team position rank_a rank_b",
            *[("1", "u", 1, "a", 1, 1, 2), ("1", "v", 0, "c", 1, 2, None)],
            *[(None, "u", 1, "b", 2, 1, 1), ("2", None, 2, "a", None, 1.5, 1)],
            *[("3", "u", None, None, 1, None, None)],
        ),
        _draw("page_id clicked", ("1", 1), ("2", 0)),
    ],
    "users": [
        _draw(
            _USED,
            *[
                ("1", "A", "m", 1, 0, 1, 0),
                ("1", "A", "m", 2, 0, None, 0),
                ("1", "B", "m", 1, 1, 1, 1),
            ],
            *[
                (None, "A", "m", 1, 0, 1, 0),
                ("2", None, "m", 1, 1, 1, 1),
                ("3", "B", "m", None, 1, INF, -1),
            ],
            *[("4", "B", "m", 1, -1, 1, 1), ("5", "A", "n", 1e-70, 1, 1e-70, 1)],
        ),
        _draw("user_id variant metric numerator", ("1", "A", "m", 1), ("2", "A", "m", 1)),
    ],
    "scores": [
        _draw(
            _SCORED,
            *[("x", "AP", "1", 0.5, 0, 1), ("x", "AP", "1", 0.25, 0, 1), ("y", "AP", "2", 1, 0, 1)],
            *[(None, "AP", "3", 1, 0, 1), ("x", "RR", "1", 1, 0, 1), ("x", None, "4", 1, 0, 1)],
            *[
                ("y", "AP", "4", None, 0, 1),
                ("y", "AP", None, 1, 0, 1),
                ("y", "AP", "5", INF, 0, 1),
            ],
        ),
        _draw(_SCORED, *(("z", "P", q, 0.5, 0, 1) for q in "6789")),
        _draw(_SCORED, *(("x", "AP", q, 0.5, 0, 1) for q in "12345")),
    ],
    "exact": [
        _draw(
            "run_id query_id doc_id distance",
            *[
                ("x", "1", "a", -0.5),
                ("x", "1", "a", 1),
                ("x", "1", "b", None),
                (None, "1", "c", 1),
            ],
            *[("x", "", "c", 1), ("x", "2", None, 1), ("x", "2", "d", INF)],
        ),
        _draw("run_id query_id doc_id distance", ("y", "9", "a", 0.5)),
    ],
    "history": [_draw("query_id doc_id", ("1", "a"), (None, "a"), ("2", ""), (None, " "))],
    "items": [
        _draw(
            "doc_id category group_id features",
            *[("a", *_ROW, "1 x"), (None, *_ROW, None), (" ", *_ROW, None)],
        )
    ],
    "documents": [_draw("doc_id", ("b",))],
    "ratings": [
        _draw(
            "query_id doc_id judge relevance",
            *[("1", "a", "m", 1), ("1", "a", "m", 0), ("1", "b", None, 1), (None, "b", "m", 1)],
            *[("1", None, "m", 1), ("2", "a", "n", None), ("2", "b", "n", INF)],
        ),
        _draw("query_id doc_id judge relevance", ("1", "a", "m", 1), ("1", "b", "n", 0)),
    ],
    "mapping": [_draw("passage_id doc_id", ("1", "a"), ("1", "b"), ("2", None))],
    "examination": [_draw("position examination", (1, 1), (1, 0.5), (2, -1), (None, 1), (3, 0.5))],
    "exclude": [_draw("query_id doc_id", ("1", "a"), (None, "a"), ("2", ""))],
    "tests": [_draw("p", (0.5,), (1.5,), (-0.25,))],
    "confidences": [
        _draw("run_id query_id confidence", ("x", "1", 1), ("x", "1", 0.5), ("y", "2", None))
    ],
    "scorings": [_draw("item a b", ("1", 1, 2), ("1", 2, 3), ("2", None, 1), (None, 1, 1))],
    "rankings": [_draw("run_id query_id doc_id rank", ("x", "1", "z", 1), ("x", "1", "a", 2))],
    "recommended_items": [_draw("run_id doc_id", ("x", "z"), ("x", "a"))],
}
for _given, _same in {
    "qrels": "first second changed",
    "run": "training baseline",
    "scores": "scores_a scores_b offline online automatic human",
    "exact": "found neighbours",
}.items():
    WRONG |= dict.fromkeys(_same.split(), WRONG[_given])
# Options without which a check finds nothing, or that it requires.
OPTIONS = {
    "max_rel": "1",
    "baseline": "'nobody'",
    "control": "'nobody'",
    "shares": "MAP {'A': 1, 'C': -1}",
    "alternative": "'less'",
    "alpha": "6e-1",
    "unit": "'user'",
}


@dataclass(frozen=True)
class Case:
    """A macro over tables: its call, with their names, and its rows by DuckDB."""

    call: str
    tables: dict[str, pl.DataFrame]
    names: list[str]
    rows: list[tuple]

    @property
    def columns(self) -> dict[str, str]:
        """The columns that tables have, of those that only some have."""
        given = {column for table in self.tables.values() for column in table.columns}
        return {column: column for column in sorted(given & OPTIONAL)}


@cache
def _open() -> tuple[duckdb.DuckDBPyConnection, dict[str, pl.DataFrame]]:
    """DuckDB with the macros, and the tables that it has by their names."""
    con = duckdb.connect()
    create_macros(con)
    return con, {}


def _load(parameter: str, table: pl.DataFrame) -> str:
    """The name of a table, which is made once."""
    con, known = _open()
    for name, each in known.items():
        if each.equals(table):
            return name
    name = f"{parameter}_{len(known)}"
    keep(con, **{name: table})
    known[name] = table
    return name


def make_case(macro: str, inputs: list[str], tables: dict[str, pl.DataFrame], options: Any) -> Case:
    """What DuckDB's macros find in some tables."""
    named = {each: _load(each, tables[each]) for each in inputs if each in tables}
    listed = [named.get(each, "NULL") for each in inputs]
    listed += (f"{option} := {value}" for option, value in options.items())
    call = f"{macro}({', '.join(listed)})"
    given = {name: tables[each] for each, name in named.items()}
    con, _ = _open()
    con.execute(f"CREATE OR REPLACE VIEW nothing AS FROM {next(iter(given))} LIMIT 0")
    found = con.sql(f"FROM {call.replace('NULL', 'nothing')}")
    return Case(call, given, found.columns, found.fetchall())


def give(name: str) -> tuple[dict[str, pl.DataFrame], dict[str, Any]]:
    """The tables of an analysis as macros read them, and its options."""
    given = doors.give(name)
    tables = {each: given.pop(each) for each in list_analyses()[name].inputs if each in given}
    if "baseline" in tables:  # as columns names those of all tables
        tables["baseline"] = tables["baseline"].with_columns(run_id=pl.lit("x"))
    if "users" in tables:
        tables["users"] = tables["users"].with_columns(metric=pl.lit("m"))
    if "online" in tables:  # so that no correlation is 1, where a last digit would decide
        squared, mean = pl.col("RR") ** 2, (pl.col("AP") + pl.col("RR")) / 2
        tables["online"] = tables["online"].with_columns(AP=mean, RR=squared)
    if "changed" in tables:  # so that something did
        tables["changed"] = tables["changed"].with_columns(relevance=1 - pl.col("relevance"))
    for each, table in tables.items():
        if KINDS[each] in (SCORES, RANGED_SCORES):
            tables[each] = table.unpivot(
                index=["run_id", "query_id"], variable_name="metric", value_name="score"
            ).with_columns(lowest=pl.lit(None, pl.Float64), highest=pl.lit(None, pl.Float64))
    return tables, {option: catalogue.quote(value) for option, value in given.items()}


@cache
def list_cases() -> dict[str, Case]:
    """Analyses over what is right for them, and then checks over what is wrong."""
    found = {name: make_case(name, [*f.inputs], *give(name)) for name, f in list_analyses().items()}
    return found | {file.name: find_wrong(file) for file in list_checks()}


def list_checks() -> list[catalogue.SqlFile]:
    files = (file for folder in catalogue.files().values() for file in folder.values())
    return [file for file in dict.fromkeys(files) if file.path.parent.name == "checks"]


def find_wrong(file: catalogue.SqlFile) -> Case:
    """A check of the first tables in which it finds something."""
    inputs = [each for each in file.inputs if each in WRONG]
    own = {*file.parameters} - {*inputs}
    options = {each: value for each, value in OPTIONS.items() if each in own}
    needed = {each: list_needs(file).get(each, ()) for each in inputs}
    needs = {each: {n for n in names if " or " not in n} for each, names in needed.items()}
    for chosen in product(*(WRONG[each] for each in inputs)):
        tables = dict(zip(inputs, chosen, strict=True))
        if any(needs[each] - {*tables[each].columns} for each in inputs):
            continue  # only macros look whether a column is there
        with suppress(duckdb.Error):  # a column that the check needs
            if (case := make_case(file.name, inputs, tables, options)).rows:
                return case
    raise AssertionError(f"no tables of WRONG have what {file.name} finds")


def write(case: Case, dialect: str) -> str:
    """The SELECT of a case; a table of no known kind is a query that lists its columns."""
    call, listed = case.call, []
    for name, table in case.tables.items():
        if name.rpartition("_")[0] not in KINDS:
            call = call.replace(name, f"given_{name}")
            columns = ", ".join(f"t.{column}" for column in table.columns)
            listed.append(f"given_{name} AS (SELECT {columns} FROM {name} AS t)")
    start = f"WITH {', '.join(listed)} " if listed else ""
    return sm.sql(f"{start}SELECT * FROM {call}", dialect=dialect, columns=case.columns)


def compare_tables(engine) -> dict[str, list[float] | str]:
    """By macro: rows, the largest difference of a number, and lines of SQL; or why there are none."""
    cases = list_cases()
    for name, table in _open()[1].items():
        engine.load(name, table)
    found: dict[str, list[float] | str] = {}
    for name, case in cases.items():
        try:
            text = write(case, engine.dialect)
        except (sm.MetricError, sm.InputError) as refusal:
            found[name] = str(refusal)
            continue
        difference = find_difference(engine.ask(text), case.rows)
        found[name] = [len(case.rows), difference, text.count("\n") + 1]
    return found


def find_difference(got: list[tuple], expected: list[tuple]) -> float:
    """The largest difference of a number, above 1 a relative one; infinite if rows are others."""
    pairs = [sorted(map(_read_row, rows)) for rows in (got, expected)]
    if [texts for texts, _ in pairs[0]] != [texts for texts, _ in pairs[1]]:
        return math.inf
    numbers = ([each for _, row in rows for each in row] for rows in pairs)
    return max(
        (abs(x - y) / max(1, abs(y)) for x, y in zip(*numbers, strict=True) if x != y), default=0
    )


def _read_row(row: tuple) -> tuple[list[str], list[float]]:
    """The texts of a row, with what is missing, and its numbers."""
    read = [_read(each) for each in row]
    texts = [each if isinstance(each, str) else "number" for each in read]
    return texts, [each for each in read if not isinstance(each, str)]


def _read(value: Any) -> str | float:
    if value in ("inf", "-inf", "nan"):
        return str(float(value))
    if value is None or isinstance(value, str):
        text = _DECIMALS.sub(r"\1", "missing" if value is None else value)
        return _ENDLESS.sub("inf", text)
    return float(value) if math.isfinite(value) else str(float(value))


# Numbers in texts: engines write 2 or 2.0, and inf, Inf or Infinity.
_DECIMALS = re.compile(r"(\d)\.0+\b|(?<=\.\d)0+\b")
_ENDLESS = re.compile(r"\binf(inity)?\b", re.IGNORECASE)


Found: TypeAlias = dict[str, "list[float] | str"]


def write_page(found: dict[str, Found], versions: dict[str, str]) -> str:
    """The tables of all analyses and checks on all engines."""
    lines = [
        "# The same rows of analyses and checks on every engine",
        "",
        "Written by `python docs/build.py --engines`. Each engine runs `SELECT * FROM` each analysis, over small",
        "tables, and each check, over tables in which it finds something, as plain SQL. A cell has the largest",
        "difference of a number from the rows of DuckDB's macros, rounded up, and then the lines of the SELECT;",
        "– means that an engine cannot compute it. Texts may differ in how an engine writes numbers, such as 2",
        "for 2.0.",
    ]
    for kind, names in {"analysis": list_analyses(), "check": list_names()}.items():
        titles = (f"{name} {versions[name]}" for name in found)
        lines += [
            "",
            f"| {kind} | rows | {' | '.join(titles)} |",
            "|---|--:|" + "---|" * len(found),
        ]
        for name in names:
            each = [cells[name] for cells in found.values()]
            (rows,) = {cell[0] for cell in each if not isinstance(cell, str)} or {"–"}
            lines.append(f"| `{name}` | {rows} | {' | '.join(map(write_cell, each))} |")
    lines += ["", "What is missing, and why:", ""]
    for engine, cells in found.items():
        refused = {name: cell for name, cell in cells.items() if isinstance(cell, str)}
        lines += list_reasons(engine, refused)
    lines += [
        "",
        "## Written, not run",
        "",
        "No engine here runs the plain SQL for these. It is read by a parser of their dialects and searched for",
        "what is known to go wrong. Athena's is Trino's. These are refused:",
        "",
    ]
    for dialect in RENDERED:
        lines += list_reasons(dialect, list_refusals(dialect))
    return "\n".join(lines) + "\n"


def list_names() -> list[str]:
    return [file.name for file in list_checks()]


def write_cell(cell: list[float] | str) -> str:
    if isinstance(cell, str):
        return "–"
    difference = f"1e{math.ceil(math.log10(cell[1]))}" if cell[1] else "0"
    return f"{difference}, {cell[2]}"


def list_reasons(engine: str, refused: dict[str, str]) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for name, reason in refused.items():
        reasons.setdefault(reason.partition(" cannot compute this: ")[2] or reason, []).append(name)
    return [
        f"- {engine}, {reason}: {', '.join(f'`{name}`' for name in names)}"
        for reason, names in reasons.items()
    ]


def list_refusals(dialect: str) -> dict[str, str]:
    """By macro, why it is not written in a dialect."""
    found = {}
    for name, case in list_cases().items():
        try:
            write(case, dialect)
        except (sm.MetricError, sm.InputError) as refusal:
            found[name] = str(refusal)
    return found


def read_reasons(engine: str) -> dict[str, str]:
    """The same, as the page has it."""
    lines = re.findall(rf"^- {engine}, (.*): (`.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    return {name: why for why, names in lines for name in re.findall("`(.*?)`", names)}


def read_page() -> tuple[dict[str, Found], dict[str, str]]:
    """By engine, what the page has, and the version that was asked."""
    rows = re.findall(r"^\| .*", PAGE.read_text(encoding="utf-8"), re.M)
    head, *rows = (row.strip("| ").split(" | ") for row in rows)
    versions = dict(title.rsplit(" ", 1) for title in head[2:])
    found: dict[str, Found] = {name: {} for name in versions}
    reasons = {name: read_reasons(name) for name in versions}
    for quoted, number, *cells in rows:
        if number == "rows":
            continue
        name = quoted.strip("`")
        for engine, cell in zip(versions, cells, strict=True):
            each = cell.split(", ")
            found[engine][name] = (
                reasons[engine][name]
                if cell == "–"
                else [int(number), float(each[0]), int(each[1])]
            )
    return found, versions
