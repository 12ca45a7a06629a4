"""The catalogue as a frame."""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

from .literals import quote, write_arguments
from .metric import Spelling, all_metrics
from .parsing import find_metrics


def metrics(*names: str) -> pl.DataFrame:
    """The catalogue: a row per metric, or for those of ``names``, in any spelling.

    Columns, all text: ``name`` as in results (with ``@k`` for a cut-off), ``family``, ``macro``
    (its name in SQL), ``kind`` (what it is a metric of: ``runs``, ``recommendations``, ``clicks``
    or ``neighbours``), ``summary``, ``formula``, ``parameters`` with defaults
    and meaning, one per line, ``range``, ``no_relevant`` (the score of a query with no relevant
    documents), ``aggregate`` (how a run's score is computed from its queries': mean or sum),
    ``aliases``, ``agrees`` (tools that give the same scores, with their names for it, one per
    line), ``differs`` (metrics of the same name that are not the same), ``source``.

    Raises `MetricError` for a name that does not exist.

    >>> metrics("ndcg_cut_10")["name"].to_list()
    ['nDCG, nDCG@k']
    >>> metrics().row(by_predicate=pl.col("macro") == "rr", named=True)["name"]
    'RR, RR@k'
    """
    return pl.DataFrame(
        {
            "name": ", ".join(metric.names),
            "family": metric.family,
            "macro": metric.macro,
            "kind": metric.kind,
            "summary": metric.file.summary,
            "formula": metric.file.header.get("formula", ""),
            "parameters": "\n".join(
                f"{p.name} = {quote(p.default)}: {p}" for p in metric.parameters.values()
            ),
            "range": metric.file.header.get("range", ""),
            "no_relevant": metric.file.header.get("no relevant", ""),
            "aggregate": metric.summary,
            "aliases": _write_spellings(metric.aliases),
            "agrees": "\n".join(
                f"{tool}: {_write_spellings(spellings)}" for tool, spellings in metric.tools.items()
            ),
            "differs": metric.file.header.get("differs", ""),
            "source": metric.file.header.get("source", ""),
        }
        for metric in (find_metrics(names) if names else all_metrics())
    )


def _write_spellings(spellings: Iterable[Spelling]) -> str:
    """``map, map_cut_k, gm_map (aggregate='geometric')``."""
    return ", ".join(
        re.sub(r"[{}]", "", spelling.text)
        + (f" ({write_arguments(spelling.arguments)})" if spelling.arguments else "")
        for spelling in spellings
    )
