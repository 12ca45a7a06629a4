"""Errors for users: one family, with messages that say where the problem is and what to do."""


class SqlMetricsError(Exception):
    """Base of every error that this package raises for wrong usage or input."""


class InputError(SqlMetricsError, ValueError):
    """Judgments or a run that cannot be read, or would give a wrong score."""


class MetricError(SqlMetricsError, ValueError):
    """An unknown metric, or an invalid parameter or value of one."""
