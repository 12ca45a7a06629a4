"""What goes wrong for a user: one family, each with a message that says where and what to do."""


class SqlMetricsError(Exception):
    """Base of every error that this package raises for wrong usage or input."""


class InputError(SqlMetricsError, ValueError):
    """Judgments or a run that cannot be read, or would give a wrong number."""


class MetricError(SqlMetricsError, ValueError):
    """A metric that is not known, or has no such parameter or value."""
