"""Errors for users: one family, with messages that say where the problem is and what to do."""


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


def require_one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `InputError` unless the option is one of the choices."""
    if value not in choices:
        *others, last = map(repr, choices)
        raise InputError(f"{name} must be {', '.join(others)} or {last}, not {value!r}")
