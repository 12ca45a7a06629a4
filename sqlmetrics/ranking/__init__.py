"""Ranking: the ranks of judged documents, computed once for all metrics.

It gives the rows of ``sql/ranking/tables/ranked.sql``, in parts that fit in memory, and those of
``sql/neighbours/relations/neighbours.sql``.
"""

from .nearest import (
    RETURNED,
    Tolerance,
    drop_nothing,
    list_neighbours,
    number_exact,
    place_neighbours,
)
from .numbered import name_ids, number_queries, tabulate
from .numbers import NumberedJudgments, are_usable, number_judgments
from .ranks import Ranks, name_keys, rank
from .stretches import read_lists, take_dict

__all__ = [
    "RETURNED",
    "NumberedJudgments",
    "Ranks",
    "Tolerance",
    "are_usable",
    "drop_nothing",
    "list_neighbours",
    "name_ids",
    "name_keys",
    "number_exact",
    "number_judgments",
    "number_queries",
    "place_neighbours",
    "rank",
    "read_lists",
    "tabulate",
    "take_dict",
]
