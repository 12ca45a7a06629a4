"""Errors for users: one family, with messages that say where the problem is and what to do."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from math import inf
from typing import Any, TypeGuard


class SqlMetricsError(Exception):
    """Base of every error that this package raises for wrong usage or input."""

    def __str__(self) -> str:
        return clean(super().__str__())


def clean(message: str) -> str:
    """A message with control characters as Python writes them, and long words and lines cut."""
    said = "\n".join(map(show, message.split("\n")))
    return _LONG_LINE.sub(r"\1…\2", _LONG.sub(r"\1…", said))


def show(text: str) -> str:
    """The text on one line, with all that is not for eyes or XML as Python writes it."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_LONG_LINE = re.compile(r"^(.{1500}).{1000,}(.{500})$", re.MULTILINE)
_LONG = re.compile(r"(\S{400})\S{400,}")


class InputError(SqlMetricsError, ValueError):
    """Judgments or a run that cannot be read, or would give a wrong score."""


class MetricError(SqlMetricsError, ValueError):
    """An unknown metric, or an invalid parameter or value of one."""


class ScoreWarning(UserWarning):
    """Scores that seem to mean nothing, such as those of ranks that were given as scores."""


class OptionError(InputError, TypeError):
    """An argument that a function does not have, or lacks."""


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


def require_top_grade(max_rel: object) -> None:
    """Raise `InputError` unless the highest grade is a number above 0, or None."""
    if max_rel is not None and (not is_number(max_rel) or not 0 < max_rel < inf):
        raise InputError(f"max_rel must be a number above 0, or None, not {max_rel!r}")


def require_one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `InputError` unless the option is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        *others, last = map(repr, choices)
        listed = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{name} must be {listed}, not {value!r}")


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
            raise InputError(f"{name} must be a name or several, not {each!r}")
    return names


def require_dict(name: str, value: object, example: str) -> Mapping[Any, Any]:
    """The option, or an empty dict for None; raises `InputError` unless it is a dict."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a dict such as {example}, not {value!r}")
    return value


def require_arguments(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    options: Mapping[str, Any],
    others: Iterable[Callable[..., Any]],
    said: str,
) -> None:
    """Raise `OptionError` for arguments that a function does not have, or lacks.

    It names those of ``others`` that have the option; ``said`` is Python's message, or our own.
    """
    has, name = signature(function), function.__name__
    for option in options:
        if f"no option {option!r}" not in said and not said.endswith(f"argument {option!r}"):
            continue
        if known := [each.__name__ for each in others if option in signature(each).parameters]:
            more = f" and {len(known) - 3} more" * (len(known) > 3)
            raise OptionError(
                f"{name} has no option {option}; {', '.join(known[:3])}{more} have it"
            ) from None
    try:
        has.bind(*arguments, **options)
    except TypeError as error:
        raise OptionError(f"{name}: {error}; it is {name}({', '.join(has.parameters)})") from None
