"""Errors for users: one family, with messages that say where the problem is and what to do."""

from math import inf


class SqlMetricsError(Exception):
    """Base of every error that this package raises for wrong usage or input."""


class InputError(SqlMetricsError, ValueError):
    """Judgments or a run that cannot be read, or would give a wrong score."""


class MetricError(SqlMetricsError, ValueError):
    """An unknown metric, or an invalid parameter or value of one."""


def require_whole(name: str, value: object) -> None:
    """Raise `InputError` unless the option is a whole number, 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name} must be a whole number, 1 or more, not {value!r}")


def require_top_grade(max_rel: object) -> None:
    """Raise `InputError` unless the highest grade is a number above 0, or None."""
    if max_rel is not None and (
        isinstance(max_rel, bool) or not isinstance(max_rel, int | float) or not 0 < max_rel < inf
    ):
        raise InputError(f"max_rel must be a number above 0, or None, not {max_rel!r}")


def require_one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `InputError` unless the option is one of the choices."""
    if value not in choices:
        *others, last = map(repr, choices)
        raise InputError(f"{name} must be {', '.join(others)} or {last}, not {value!r}")
