"""Checks: runs the checks of ``sql/*/checks``, before scores are computed and for the doctor."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import duckdb
import polars as pl

from ..catalogue import SqlFile, files, find_file, quote
from ..catalogue.measures import Measure
from ..catalogue.rules import Value
from ..errors import InputError
from ..inputs.columns import RUN, Kind
from ..inputs.data import name_some
from ..inputs.grades import cast_number, find_remedy, grade_words, is_large
from ..inputs.source import Input, reading
from ..macros.create import list_refused, match_checks, prepare
from ..progress import Doubt, begin
from .connections import DuckDB
from .first_rows import find_first, note_first
from .interface import Engine


def list_checks(severity: str | None = None) -> list[SqlFile]:
    """The checks, errors first, and among these first the checks for unusable rows."""
    checks = sorted(
        files()["checks"].values(),
        key=lambda check: (check.header["severity"], not check.name.startswith("unusable")),
    )
    return [check for check in checks if severity in (None, check.header["severity"])]


def list_all_checks() -> list[SqlFile]:
    """The checks of `list_checks`, and those of tables that only statistics take."""
    others = (
        file
        for found in files().values()
        for file in found.values()
        if file.path.parent.name == "checks" and not {*file.inputs} <= {"qrels", "run"}
    )
    return [*dict.fromkeys((*list_checks(), *others))]


def refuse(
    engine: Engine,
    inputs: Iterable[Any],
    check: str = "",
    because: str = "",
    remedy: str = "",
    *,
    looks_for_repeated: bool = True,
) -> None:
    """Raise `InputError` if a check finds what makes scores wrong.

    Asked is one ``check``, or all that are for each input. ``because`` says, after the first
    problem, for whom it is one; ``remedy`` is another one than that of the check. Repeated rows
    may be left to be found later.
    """
    for each in inputs:
        require_rows(engine, each)
        for asked in [find_file(check)] if check else list_checks_of(each.kind, each.columns):
            if asked.name.startswith("repeated") and not looks_for_repeated:
                continue
            number, rows = engine.problems(f"{asked.name}({each.table})")
            if number:
                is_one = because or not isinstance(each, Input)
                problems = _describe(engine, asked, rows[:1] if is_one else rows, each)
                others = 0 if is_one else number - len(problems)
                problems += [f"and {others} more like this"] * (others > 0)
                remedy = remedy or find_remedy(asked, each, engine.open_here().con)
                raise InputError("\n".join(problems) + f"{because}; {remedy}")


def list_checks_of(
    kind: Kind, columns: Sequence[str], severity: str = "error"
) -> Iterator[SqlFile]:
    """The checks of a table by itself, of columns that it has."""
    for check in list_checks(severity):
        is_needed = check.header.get("column", "") in ("", *columns)
        if is_needed and [*check.parameters] == [kind.parameter]:
            yield check


def note_warnings(engine: Engine, each: Any) -> Iterator[str]:  # noqa: ANN401
    """What the checks of an input that are warnings find, a note for each check."""
    for check in list_checks_of(each.kind, each.columns, "warning"):
        if said := find_first(engine, each.name, f"{check.name}({each.table})"):
            yield Doubt(f"{said}. {check.summary}")


def examine(
    reader: DuckDB,
    given: Sequence[Input],
    values: Mapping[str, Value],
    tables: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Run every check of some inputs; yields a row for each that finds something.

    ``tables`` are those of all runs, of the documents, of the judgments for checks of runs if these
    are not the ones given, and others by parameter; ``values`` are other parameters by name.
    """
    options = {name: quote(value) for name, value in values.items()}
    known = {**{each.kind.parameter: each.table for each in given}, **tables, **options}
    for check in list_all_checks():
        if not {*check.parameters} <= {*known}:
            continue
        if column := check.header.get("column"):
            table = known[check.inputs[0]]
            if column not in reader.con.sql(f"FROM {table} LIMIT 0").columns:
                continue
        asked_of: list[Input | None] = []
        if not {"qrels", "run"} <= {*check.inputs}:
            asked_of += (each for each in given if each.kind.parameter in check.inputs)
        for each in asked_of or [None]:
            asked = dict(known)
            if each:
                is_as_given = "values" in check.header
                table = reader.keep(each.as_given) if is_as_given else each.table
                asked[each.kind.parameter] = table
            call = check.call(map(asked.__getitem__, check.inputs), options)
            number, rows = reader.list_problems(call)
            if number:
                others = [name for name in check.inputs if name not in ("qrels", "run")]
                yield {
                    "severity": check.header["severity"],
                    "check": check.name,
                    "input": each.name if each else ", ".join(others),
                    "number": number,
                    "meaning": check.summary,
                    "examples": "\n".join(_describe(reader, check, rows, each)),
                }


def check_runs(
    engine: Engine, runs: Collection[Any], judgments: pl.DataFrame | None = None
) -> list[str]:
    """The names of runs, as given; raises `InputError` for what would give a wrong number.

    What the first rows of those that are here show is noted, also of ids that are nearly those of
    ``judgments``.
    """
    begin("checking runs")
    with reading(" or ".join(each.name for each in runs)):
        refuse(engine, runs)
        here = [each for each in runs if isinstance(each, Input)]
        engine.notes += note_first(engine.open_here(), here, judgments)
        listed = [(each.name, list_run_ids(engine, each)) for each in runs]
    return check_run_ids(listed)


def require_rows(engine: Engine, each: Any) -> None:  # noqa: ANN401
    """Raise `InputError` if an input is empty, or has rows without a run_id."""
    if engine.run(f"SELECT 1 AS one FROM {each.table} LIMIT 1").is_empty():
        raise InputError(f"{each.name} has no rows")
    if isinstance(each, Input) and "run_id" in each.columns:  # of others, checks find them
        con = engine.open_here().con
        if con.execute(f"SELECT 1 FROM {each.table} WHERE run_id IS NULL LIMIT 1").fetchall():
            ((place, query_id, *_), *_) = each.find_rows(con, "run_id IS NULL")
            raise InputError(f"{place} has no run_id (query {query_id})")


def note_strangers(
    engine: Engine,
    tables: Mapping[str, str],
    matched: Sequence[tuple[str, ...]] = (("query_id",), ("query_id", "doc_id")),
) -> Iterator[str]:
    """Notes on tables, by what they are called, whose ids have nothing in common.

    ``matched`` are the ids that rows of two tables should have in common; with a history, items.
    """
    have = {name: {*engine.run(f"FROM {table} LIMIT 0").columns} for name, table in tables.items()}
    for pair in combinations(tables, 2):
        one, other = sorted(pair, key=lambda name: "run_id" not in have[name])
        run_id = "run_id" if "run_id" in have[one] else "NULL"
        for keys in (each[-1:] if "history" in pair else each for each in matched):
            if not have[one] & have[other] >= {*keys}:
                continue
            row = f"({', '.join(f'CAST({key} AS VARCHAR)' for key in keys)})"
            query = f"""
                SELECT
                    {run_id} AS run,
                    min({keys[-1]}) AS id,
                    (SELECT min({keys[-1]}) FROM {tables[other]}) AS other
                FROM {tables[one]} GROUP BY 1
                HAVING NOT bool_or(coalesce({row} IN (SELECT {row} FROM {tables[other]}), false))
                ORDER BY 1
            """
            found = engine.run(query).rows()
            if found and found[0][2] is not None:
                runs = name_some([run_id or one for run_id, *_ in found])
                what = "query" if keys[-1] == "query_id" else "document"
                yield (
                    f"{_CALLED.get(runs, runs)} and {_CALLED.get(other, other)} have no {what} in "
                    f"common: ids look like {found[0][1]!r} and {found[0][2]!r}"
                )
                break


_CALLED = {"qrels": "the judgments", "run": "the run", "history": "the history"}


def require_ranks(con: duckdb.DuckDBPyConnection, runs: Iterable[Input]) -> None:
    """Raise `InputError` if a run cannot order its ties by rank."""
    for each in runs:
        if "rank" not in each.columns:
            raise InputError(f"{each.name} has no column rank; ties='rank' needs one")
        unknown = f"SELECT 1 FROM {each.table} WHERE rank IS NULL OR isnan(rank) LIMIT 1"
        if con.execute(unknown).fetchall():
            missing = "TRY_CAST(rank AS DOUBLE) IS NULL OR isnan(TRY_CAST(rank AS DOUBLE))"
            ((place, query_id, doc_id, _), *_) = each.find_rows(con, missing)
            raise InputError(
                f"{place} has no rank for document {doc_id} of query {query_id}; ties='rank' "
                "needs a number for each document"
            )


def require_judged_once(engine: Engine, judgments: Any, measures: Sequence[str]) -> None:  # noqa: ANN401
    """Raise `InputError` if documents are judged by subtopic, which these metrics cannot use."""
    if measures and "subtopic" in judgments.columns:
        because = f", but {measures[0]} needs one judgment per document"
        listed = ", ".join(measures)
        remedy = f"compute {listed} separately, with judgments that have each document once"
        refuse(engine, [judgments], "judged_by_subtopic", because, remedy)


def check_run_ids(
    runs: Iterable[tuple[str, Iterable[str]]], left: Collection[str] | None = None
) -> list[str]:
    """The names of runs; raises `InputError` if two inputs hold one, which would be mixed up.

    ``runs`` are the names of the inputs, each with those of its runs, which exclude= must have
    ``left``.
    """
    names: dict[str, str] = {}
    for name, run_ids in runs:
        for run_id in run_ids:
            if run_id in names:
                both = f"{names[run_id]} and {name} both have a run named {run_id!r}"
                raise InputError(f"{both}; give them different names")
            if left is not None and run_id not in left:
                raise InputError(f"{name}: exclude= leaves out all documents of run {run_id!r}")
            names[run_id] = name
    return [*names]


def require_one_run(name: str, run_ids: Sequence[str]) -> None:
    """Raise `InputError` if an input holds several runs."""
    if len(run_ids) > 1:
        raise InputError(
            f"{name} has several runs, such as {run_ids[0]} and {run_ids[1]}; keep one of them"
        )


def list_run_ids(engine: Engine, run: Any) -> list[str]:  # noqa: ANN401
    """The names of the runs that an input holds, sorted."""
    if not run.has_names:
        return [str(run.run_id)]
    query = f"SELECT DISTINCT CAST(run_id AS VARCHAR) AS id FROM {run.table} AS r"
    return engine.run(query)["id"].sort().to_list()


def require_finite(
    found: pl.DataFrame, wanted: Iterable[Measure], key: str, judgments: str
) -> None:
    """Raise `InputError` for a score that is too large."""
    names = [measure.name for measure in wanted if found[measure.name].dtype == pl.Float64]
    are_finite = found.select(pl.col(name).is_finite().all() for name in names)
    for name in names:
        if not are_finite[name].item():
            value = found.filter(~pl.col(name).is_finite())[key][0]
            raise InputError(
                f"{name} is too large for {key.removesuffix('_id')} {value}; "
                f"look for large grades in {judgments}"
            )


def describe_refusal(con: duckdb.DuckDBPyConnection, judgments: Input, said: str) -> str:
    """The message of a macro that refused a judgment, with the place of this judgment."""
    reason = said.partition(": ")[2]
    if not (found := re.match(r"relevance (\S+) is above", reason)):
        return reason
    where = "TRY_CAST(relevance AS DOUBLE) = TRY_CAST(? AS DOUBLE)"
    try:
        rows = judgments.find_rows(con, where, [found[1]])
    except duckdb.Error:  # in a transaction of the user, which the refusal has ended
        rows = []
    if not rows:  # or the value is a gain, which is not in the judgments
        return f"{judgments.name}: {reason}"
    ((place, query_id, doc_id, _), *_) = rows
    return f"{place}: document {doc_id} of query {query_id}: {reason}"


def refuse_tables(
    engine: Engine,
    relation: SqlFile,
    tables: Mapping[str, str],
    options: Mapping[str, str],
    checked: Collection[str] = (),
) -> None:
    """Raise `InputError` if a check that a relation refuses finds something in its tables.

    ``options`` are its other parameters, as SQL. `refuse` was asked of ``checked`` tables.
    """
    for check, asked in match_checks(list_refused(relation), tables):
        if len(asked) == 1 and {*asked} <= {*checked} and check.folder == "checks":
            continue
        number, rows = engine.problems(check.call([tables[name] for name in asked], options))
        if rows:
            shown = ", ".join(f"{name} {value!r}" for name, value in rows[0].items())
            problem = rows[0].get("problem", f"{check.summary.rstrip('.')}: {shown}")
            raise write_refusal(check, asked if len(tables) > 1 else (), problem, number)


def write_refusal(
    check: SqlFile,
    asked: Collection[str],
    problem: str,
    number: int,
    remedy: str | None = None,
) -> InputError:
    """The error for the first of the problems that a check found in tables that are ``asked``.

    ``remedy`` is what to do about it, where that is not what the check says.
    """
    place = f"{' and '.join(asked)}: " if asked else ""
    more = f" (and {number - 1} more like this)" if number > 1 else ""
    return InputError(f"{place}{problem}{more}; {remedy or check.header['remedy']}")


# The columns by which the rows that a check found are looked up in the input.
_IDS = ("run_id", "page_id", "query_id", "doc_id", "subtopic", "position")


def _describe(
    engine: Engine,
    check: SqlFile,
    rows: Iterable[Mapping[str, Any]],
    each: Any | None,  # noqa: ANN401
) -> list[str]:
    """The problems that a check found, with their places in the input."""
    if each and not isinstance(each, Input):  # whose rows cannot be looked up
        return [_escape(f"{each.name}: {row['problem']}") for row in rows]
    con = engine.open_here().con
    if each and check.name.startswith("unusable") and each.kind.value_is_number:
        return _describe_unusable(con, each)
    problems = []
    for row in rows:
        problem = row["problem"]
        if each:
            ids = {id: row[id] for id in _IDS if id in each.columns and row.get(id) is not None}
            if len(ids) > ("run_id" in ids):
                problem = f"{_find_places(con, each, ids)}: {problem}"
            elif each.kind.describes_documents:
                problem = f"{each.name}: {problem}"
        problems.append(_escape(problem))
    return problems


def _find_places(con: duckdb.DuckDBPyConnection, each: Input, ids: Mapping[str, str]) -> str:
    """The places of the rows with these ids."""
    where = " AND ".join(f"CAST({column} AS VARCHAR) COLLATE C = ?" for column in ids)
    found = each.find_rows(con, where, [str(id) for id in ids.values()])
    return " and ".join(dict.fromkeys(place for place, *_ in found)) or each.name


def _describe_unusable(con: duckdb.DuckDBPyConnection, each: Input) -> list[str]:
    """Why rows cannot be used, with their values as given, which are read again for this."""
    value_column = each.kind.value
    number = cast_number(value_column)
    number = grade_words(value_column, number, each.grades) if each.kind.is_judged else number
    is_bad = f"isnan({number})" if each.kind is RUN else f"NOT isfinite({number})"
    kind, of = ("FLOAT", "float32") if each.score_type == "float32" else ("DOUBLE", "a number")
    without = " OR ".join(
        prepare(con, f"{column} IS NULL OR is_blank(CAST({column} AS VARCHAR))")
        for column in ("query_id", "doc_id")
    )
    problems = []
    for place, *row in each.find_rows(
        con, f"{without} OR TRY_CAST({number} AS {kind}) IS NULL OR {is_bad}"
    ):
        if row == [None, None, None] and each.sources[0].is_trec:
            form = f"'{each.kind.trec_line}' (ids with spaces need a table, such as CSV)"
            problems.append(f"{place} is not of the form {form}")
        else:
            asked = f"SELECT unusable_value({quote(value_column)}, $3, $1, $2)"
            asked += f" || CASE WHEN {is_large('$3', kind)} THEN ', too large for {of}' ELSE '' END"
            ((problem,),) = con.execute(prepare(con, asked), row).fetchall()
            problems.append(_escape(f"{place}: {problem}"))
    return problems


def _escape(text: str) -> str:
    """The text in one line: an id may contain a line break or terminal control characters."""
    return re.sub(r"[\x00-\x1f\x7f]", lambda m: repr(m[0])[1:-1], text)
