"""Where scores come from: versions, and conventions in words."""

from __future__ import annotations

import platform

import duckdb
import polars as pl

from ..catalogue.conventions import Conventions
from ..inputs.excluded import is_self
from ..macros.install import find_version


def list_versions() -> str:
    versions = {
        "sqlmetrics": find_version(),
        "DuckDB": duckdb.__version__,
        "polars": pl.__version__,
        "Python": platform.python_version(),
    }
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def describe_conventions(conventions: Conventions) -> str:
    """The conventions, in words.

    >>> describe_conventions(Conventions(depth=100))[:62]
    'Documents with the same score are ranked by id, descending; on'
    """
    ties = {
        "descending": "are ranked by id, descending",
        "ascending": "are ranked by id, ascending",
        "input": "are ranked in the order of the input",
        "rank": "are ranked by the column rank",
        "best": "are ranked with the relevant ones first",
        "worst": "are ranked with the relevant ones last",
        "expected": "are in any order, and scores are the expected ones",
    }
    parts = [f"Documents with the same score {ties[conventions.ties]}"]
    if conventions.score_type == "float32":
        parts.append("scores are compared as 32-bit numbers")
    if conventions.depth is not None:
        parts.append(f"only the first {conventions.depth} of each query are ranked")
    if is_self(conventions.exclude):
        parts.append("documents whose id is the query's are left out")
    elif conventions.exclude is not None:
        parts.append("the documents to exclude are left out before they are ranked")
    judged = "left out of the ranking" if conventions.judged_only else "not relevant"
    parts.append(f"unjudged documents are {judged}")
    parts.append(f"a document is relevant from relevance {conventions.relevant_from:g}")
    counted = {
        "judged": "every judged query",
        "answered": "queries that the run answers",
        "relevant": "queries with something relevant",
    }
    kinds = [counted[each] for each in conventions.queries]
    parts.append(f"{' and '.join(kinds)} count{'s' if kinds == [counted['judged']] else ''}")
    if conventions.no_relevant:
        parts.append(f"a query with nothing relevant scores {conventions.no_relevant:g}")
    others = [f"{name}={value}" for name, value in conventions.parameters if name != "rel"]
    if others:
        parts.append(f"metrics use {', '.join(others)}")
    return "; ".join(parts) + "."
