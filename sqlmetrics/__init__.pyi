from .analyses import (
    collapse,
    compared,
    examination,
    interleaving,
    judge,
    means,
    nauc,
    online_offline,
    order_agreement,
    p_mrr,
    precision_recall_curve,
    precision_recall_table,
    replay,
    roc_curve,
    to_judge,
)
from .catalogue.conventions import Conventions, presets
from .catalogue.listing import metrics
from .comparing import Comparison, Gate, compare, gate
from .doctor import check, explain
from .errors import InputError, MetricError, ScoreWarning, SqlMetricsError
from .experimenting import Experiment, experiment
from .fusing import Tuning, fuse, tune
from .judging import (
    Agreement,
    Bounds,
    Documents,
    agree,
    bounds,
    estimate,
    explain_query,
    infer,
    leave_out,
)
from .logs import clicks
from .macros.install import install, uninstall
from .own import add, remove
from .plots import plot
from .query import query
from .running.judgments import Judgments
from .score import Scores, evaluate
from .script import sql, translate
from .vectors import neighbours

__all__ = [
    "Agreement",
    "Bounds",
    "Comparison",
    "Conventions",
    "Documents",
    "Experiment",
    "Gate",
    "InputError",
    "Judgments",
    "MetricError",
    "ScoreWarning",
    "Scores",
    "SqlMetricsError",
    "Tuning",
    "add",
    "agree",
    "bounds",
    "check",
    "clicks",
    "collapse",
    "compare",
    "compared",
    "estimate",
    "evaluate",
    "examination",
    "experiment",
    "explain",
    "explain_query",
    "fuse",
    "gate",
    "infer",
    "install",
    "interleaving",
    "judge",
    "leave_out",
    "means",
    "metrics",
    "nauc",
    "neighbours",
    "online_offline",
    "order_agreement",
    "p_mrr",
    "plot",
    "precision_recall_curve",
    "precision_recall_table",
    "presets",
    "query",
    "remove",
    "replay",
    "roc_curve",
    "sql",
    "to_judge",
    "translate",
    "tune",
    "uninstall",
]
__version__: str
