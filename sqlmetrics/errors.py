"""Errors for users: one family, with messages that say where the problem is and what to do."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeGuard


class SqlMetricsError(Exception):
    """Base of every error that this package raises for wrong usage or input."""

    def __str__(self) -> str:
        return clean(str(self.args[0]))


# Whether options are typed, and no keywords of functions.
is_typed = ContextVar("is_typed", default=False)


def clean(message: str) -> str:
    """A message with control characters as Python writes them, and long words and lines cut.

    Of ``log= (--log)``, or ``columns={'rank': '…'} or --columns rank=…``, it has what is written
    where one is.
    """
    said = _BOTH.sub(r"\2\4" if is_typed.get() else r"\1\3", message)
    said = "\n".join(map(show, said.split("\n")))
    return _LONG_LINE.sub(r"\1…\2", _LONG.sub(r"\1…", said))


def show(text: str) -> str:
    """The text on one line, with all that is not for eyes or XML as Python writes it."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_BOTH = re.compile(
    r"(?<![-\w])(?:(\w+=(?:\{[^{}]*\}|'[^']*'|[\w.(…)]*)) or "
    r"(--[a-z][\w-]*(?: (?:'[^']*'|[^\s;)]*[^\s;).,]))?)|(\w+=?) \((--[\w-]+|(?<==\s\()[A-Z]+)\))"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_LONG_LINE = re.compile(r"^(.{1500}).{1000,}(.{500})$", re.MULTILINE)
_LONG = re.compile(r"(\S{400})\S{400,}")


class InputError(SqlMetricsError, ValueError):
    """Judgments or a run that cannot be read, or would give a wrong score."""


class MetricError(SqlMetricsError, ValueError):
    """An unknown metric, or an invalid parameter or value of one."""


SEVERAL = "several runs are one argument, in a list: [old, new]"


class ScoreWarning(UserWarning):
    """Scores that seem to mean nothing, such as those of ranks that were given as scores."""


class OptionError(InputError, TypeError):
    """An argument that a function does not have, or lacks; also those that it has."""


def refuse(problems: Mapping[str, object], before: str = "") -> None:
    """Raise `InputError` with the first of the problems that is there."""
    for problem, is_there in problems.items():
        if is_there:
            raise InputError(before + problem)


def is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_many(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether these are several values; text is one, and an array without dimensions."""
    if isinstance(value, str | bytes):
        return False
    with suppress(TypeError):
        return iter(value) is not None  # type: ignore[call-overload]
    return False


def require_whole(name: str, value: object) -> None:
    """Raise `InputError` unless the option is a whole number, 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name} must be a whole number, 1 or more, not {value!r}")


def require_number(name: str, value: object, low: float, high: float) -> None:
    """Raise `InputError` unless it is a number between ``low`` and ``high``."""
    if not is_number(value) or not low < value < high:
        raise InputError(f"{name} must be a number between {low:g} and {high:g}, not {value!r}")


def require_one_of(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` unless the option is one of the choices."""
    choices = (*choices,)
    if not isinstance(value, str) or value not in choices:
        *others, last = map(repr, choices)
        listed = f"{', '.join(others)} or {last}" if others else last
        hint = suggest("value", value, choices) if isinstance(value, str) else ""
        raise InputError(f"{name} must be {listed}, not {value!r:.80}{hint and f'; {hint}'}")


def require_truth(**options: object) -> None:
    """Raise `InputError` unless the options are True or False."""
    for name, value in options.items():
        if not isinstance(value, bool):
            raise InputError(f"{name} must be True or False, not {value!r}")


def require_name(name: str, value: object, what: str) -> None:
    """Raise `InputError` unless the option is a name, or None."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} must be the name of {what}, not {value!r}")


def read_names(name: str, value: object) -> list[str]:
    """One or more names as a list, none for None; raises `InputError` for anything else."""
    names: list[Any] = [*value] if is_many(value) else [value] * (value is not None)
    for each in names:
        if not isinstance(each, str):
            such = f", such as {str(each)!r}" * is_number(each)
            raise InputError(f"{name} must be a name or several{such}, not {each!r:.80}")
    return names


def require_dict(name: str, value: object, example: str) -> Mapping[Any, Any]:
    """The option, or an empty dict for None; raises `InputError` unless it is a dict."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a dict such as {example}, not {value!r}")
    return value


def fold(name: str) -> str:
    """A name without what differs between spellings: ``RRF``, ``min-max``."""
    return re.sub(r"[\W_]", "", name.lower()) or name


def find_word(value: Any, choices: Iterable[str]) -> Any:  # noqa: ANN401
    """The choice that a value is, in any spelling; any other value is as it was."""
    spelled = {fold(each): each for each in choices}
    return spelled.get(fold(value), value) if isinstance(value, str) else value


def read_synonyms(kind: str) -> Iterator[dict[str, str]]:
    """The names of options, macros and the like in other tools, with ours and a message."""
    table = Path(__file__).with_name("synonyms.csv").read_text(encoding="utf-8")
    return (row for row in csv.DictReader(table.splitlines()) if row["kind"] == kind)


def suggest(kind: str, name: str, known: Iterable[str], show: Callable[[str], str] = repr) -> str:
    """What to write for a name that is not known: its synonym, or the known one most like it."""
    spelled = {fold(each): each for each in known}
    asked = name if re.fullmatch(r"-\w", name) else fold(name)
    for row in read_synonyms(kind):
        there = {each if each.startswith("-") else fold(each) for each in row["there"].split()}
        here = [spelled[fold(each)] for each in row["here"].split() if fold(each) in spelled]
        if asked in there and (here or not row["here"]):
            return (row["said"] or "write {}").replace("{}", show(here[0]) if here else "")
    near = get_close_matches(fold(name), spelled, 1, 0.75)
    return f"did you mean {show(spelled[near[0]])}?" if near else ""


def explaining(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which says in words what it does not have of its arguments, or lacks."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            return function(*arguments, **options)
        except TypeError as error:
            has, name = signature(function), function.__name__
            listed = ", ".join(has.parameters)
            known = [*has.parameters, *(error.args[1] if isinstance(error, OptionError) else ())]
            takes_any = known[-1] in ("options", "tables")  # of which it has refused none
            for option in (each for each in options if each not in known and not takes_any):
                said = suggest("option", option, known, "{}=".format) or f"it has {listed}"
                raise OptionError(f"{name} has no option {option}; {said}", known) from None
            try:
                has.bind(*arguments, **options)
            except TypeError as problem:
                is_run = "values for argument 'metrics'" in f"{problem} {error}"
                said = SEVERAL if is_run else f"{problem}; it is {name}({listed})"
                raise OptionError(f"{name}: {said}", known) from None
            raise

    return call
