"""The catalogue: the SQL files, the names of metrics, and conventions such as ties."""

from .headers import (
    STATISTICS,
    Parameter,
    SqlFile,
    Statement,
    add,
    files,
    find,
    find_file,
    find_root,
    find_variants,
    is_own,
    knowing,
    list_added,
    remember,
    remove,
)
from .literals import quote, read_arguments, write_arguments
from .metric import Metric, Spelling, all_metrics, click_metrics, list_relations, ranking_metrics
from .rules import Rule, Value

__all__ = [
    "STATISTICS",
    "Metric",
    "Parameter",
    "Rule",
    "Spelling",
    "SqlFile",
    "Statement",
    "Value",
    "add",
    "all_metrics",
    "click_metrics",
    "files",
    "find",
    "find_file",
    "find_root",
    "find_variants",
    "is_own",
    "knowing",
    "list_added",
    "list_relations",
    "quote",
    "ranking_metrics",
    "read_arguments",
    "remember",
    "remove",
    "write_arguments",
]
