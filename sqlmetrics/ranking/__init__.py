"""Ranking: the ranks of judged documents, computed once for all metrics.

It gives the rows of ``sql/inputs/ranked.sql``, in parts that fit in memory, and those of
``sql/relations/neighbours.sql``.
"""

from .lists import has_names, read_lists, take_dict
from .nearest import (
    RETURNED,
    Reach,
    drop_nothing,
    list_neighbours,
    number_exact,
    place_neighbours,
)
from .numbers import Judged, are_usable, number_judgments
from .ranks import Ranks, rank
from .tables import name_ids, number_queries, tabulate

__all__ = [
    "RETURNED",
    "Judged",
    "Ranks",
    "Reach",
    "are_usable",
    "drop_nothing",
    "has_names",
    "list_neighbours",
    "name_ids",
    "number_exact",
    "number_judgments",
    "number_queries",
    "place_neighbours",
    "rank",
    "read_lists",
    "tabulate",
    "take_dict",
]
