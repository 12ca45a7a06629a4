"""Grades: values of judgments and runs as numbers, and judgments in words, such as exact."""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import Any, TypeAlias

import duckdb

from ..catalogue import SqlFile, quote
from ..catalogue.conventions import Repeated
from ..catalogue.literals import read_number
from ..errors import InputError, require_dict

# Words in lower case, and the number of each.
Grades: TypeAlias = tuple[tuple[str, float], ...]

# Words that need no option, as DuckDB reads truths.
WORDS: Grades = (
    *((word, 1.0) for word in ("true", "yes", "t", "y")),
    *((word, 0.0) for word in ("false", "no", "f", "n")),
)
# How all is read meanwhile: the grades of words, and lists that repeat a document.
graded: ContextVar[Grades] = ContextVar("graded", default=WORDS)
repeating: ContextVar[Repeated] = ContextVar("repeating", default="refuse")

_EXAMPLE = "{'relevant': 1, 'not relevant': 0}"
_ESCI = {"exact": 3, "substitute": 2, "complement": 1, "irrelevant": 0}


def read_grades(given: Any) -> Grades:  # noqa: ANN401
    """The grades of words: a dict, or the name of known ones; raises `InputError` for others.

    A number is the grade that it says, whatever the words.
    """
    if isinstance(given, str):
        if given.strip().lower() != "esci":
            raise InputError(f"grades is 'esci' or says what words mean, {_EXAMPLE}, not {given!r}")
        given = _ESCI | {word[0]: grade for word, grade in _ESCI.items()}
    found = []
    for word, grade in require_dict("grades=", given, _EXAMPLE).items():
        if (number := read_number(grade)) is None or not math.isfinite(number[0]):
            raise InputError(f"grades: {word} must be a finite number, such as 1, not {grade!r}")
        if read_number(word):
            raise InputError(f"grades: {word} is a number, which is a grade already; name words")
        found.append((str(word).strip().lower(), number[0]))
    return tuple((dict(WORDS) | dict(found)).items())


def grade_words(value: str, number: str, grades: Grades) -> str:
    """A value in SQL: the number, or else the grade of a word."""
    if grades == WORDS:
        return f"coalesce({number}, CAST(TRY_CAST({value} AS BOOLEAN) AS DOUBLE))"
    cases = " ".join(f"WHEN {quote(word)} THEN {grade!r}" for word, grade in grades)
    return f"coalesce({number}, CASE lower(trim(CAST({value} AS VARCHAR))) {cases} END)"


def find_remedy(check: SqlFile, each: Any, con: duckdb.DuckDBPyConnection) -> str:  # noqa: ANN401
    """What to do about what a check finds in an input: perhaps its judgments are in words."""
    if not hasattr(each, "sources"):
        return check.header["remedy"]
    remedy = "; ".join(check.header[key] for key in ("remedy", "option") if key in check.header)
    if check.name != "unusable_judgments":
        return remedy
    rows = " UNION ALL ".join(f"SELECT relevance FROM {source.rows}" for source in each.sources)
    found = con.execute(f"""
        SELECT word FROM (SELECT trim(CAST(relevance AS VARCHAR)) AS word FROM ({rows}))
        WHERE regexp_matches(word, '^\\p{{L}}[\\p{{L}}\\d _.-]{{0,30}}$')
            AND {cast_number("word")} IS NULL
            AND lower(word) NOT IN ('null', 'none', 'nan', 'na', 'n/a')
        GROUP BY word ORDER BY count(*) DESC, word
    """).fetchall()
    known = {word for word, _ in each.grades}
    words = [word for (word,) in found if word.lower() not in known]
    if not 0 < len(words) < 9:
        return remedy
    python = ", ".join(f"{word!r}: …" for word in words)
    option = ",".join(f"{word}=…" for word in words)
    is_esci = {*map(str.upper, words)} <= {*"ESCI"}
    esci = "; 'esci' has those of Amazon's shopping queries" * is_esci
    return f"say which grade each word is: grades={{{python}}} or --grades '{option}'{esci}"


def cast_number(value: str) -> str:
    """Text as a number, or NULL if it is not one; DuckDB would read 1_000 as 1000, too.

    Also of one that is too large, which DuckDB would make infinite.
    """
    is_usual = f"NOT regexp_matches(CAST({value} AS VARCHAR), '_|[+]-')"
    return f"CASE WHEN {is_usual} AND NOT {is_large(value)} THEN TRY_CAST({value} AS DOUBLE) END"


def is_large(value: str, kind: str = "DOUBLE") -> str:
    """The condition for text that is too large a number for a type."""
    return f"(isinf(TRY_CAST({value} AS {kind})) AND CAST({value} AS VARCHAR) NOT ILIKE '%inf%')"
