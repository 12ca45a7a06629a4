"""Ranking: the ranks of judged documents, computed once for all metrics.

It gives the rows of ``sql/inputs/ranked.sql``, in parts that fit in memory.
"""

from .lists import UnusualError, has_names, read_lists, replace_plain
from .numbers import Judged, are_usable, number_judgments
from .ranks import Ranks, rank
from .tables import name_ids, number_queries, tabulate

__all__ = [
    "Judged",
    "Ranks",
    "UnusualError",
    "are_usable",
    "has_names",
    "name_ids",
    "number_judgments",
    "number_queries",
    "rank",
    "read_lists",
    "replace_plain",
    "tabulate",
]
